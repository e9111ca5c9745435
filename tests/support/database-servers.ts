import { startMariaDb } from "./mariadb.mjs";

declare module "vitest" {
  export interface ProvidedContext {
    mariaDbUrl: string;
  }
}

interface Context {
  provide?: (key: "mariaDbUrl", value: string) => void;
}

/**
 * Global setup of both vitest and Playwright: one MariaDB for the run. Tests find it as `process.env.TEST_MARIADB_URL`
 * (`mysql://root@127.0.0.1:<port>`, no database) or by `inject("mariaDbUrl")`, and make databases of their own in it.
 */
export default async function startDatabaseServers(context?: Context) {
  const server = await startMariaDb();
  process.env.TEST_MARIADB_URL = server.url;
  context?.provide?.("mariaDbUrl", server.url);
  return () => server.stop();
}
