/** @type {import("@remix-run/dev").AppConfig} */
export default {
  server: "./server.ts",
  serverBuildPath: "build/server.js",
  serverModuleFormat: "esm",
  serverPlatform: "node",
  // These come as hundreds of small modules: read one by one they are a third of the time to the first answer.
  serverDependenciesToBundle: [/^kysely/, /^zod/, /^@conform-to\//, /^date-fns/, /^@date-fns\//],
  tailwind: true,
  postcss: true,
  ignoredRouteFiles: ["**/.*", "**/*.test.{ts,tsx}"],
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
  },
};
