export const bundledPackages = [
  // These come as hundreds of small modules: read one by one they are a third of the time to the first answer.
  /^kysely/,
  /^zod/,
  /^libphonenumber-js/,
  /^@conform-to\//,
  /^date-fns/,
  /^@date-fns\//,
  // React and what holds it: bundled it is React's production build wherever the portal runs, which draws a page in two thirds of the time.
  /^react($|-|\/)/,
  /^@remix-run\/(react|router)/,
  /^scheduler/,
];

/** @type {import("@remix-run/dev").AppConfig} */
export default {
  server: "./server.ts",
  serverBuildPath: "build/server.js",
  serverModuleFormat: "esm",
  serverPlatform: "node",
  serverDependenciesToBundle: bundledPackages,
  tailwind: true,
  postcss: true,
  ignoredRouteFiles: ["**/.*", "**/*.test.{ts,tsx}"],
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
  },
};
