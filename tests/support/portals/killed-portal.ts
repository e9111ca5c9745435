import { afterAll, beforeAll, expect } from "vitest";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";
import type { CrashPlan, CrashStep } from "../crash/child";
import { buildChild, runChild } from "../crash/run-child";

/** How long a test may take that starts a process for each death. */
export const LONG = 300_000;

/** A process is killed before every eighth statement on SQLite, and before every twelfth one on MariaDB; `npm run soak -- --fuzz 10000` asks for all. */
export const stepOf = (dialect: Dialect) => (process.env.FUZZ_RUNS ? 1 : dialect === "mariadb" ? 12 : 8);

/** The statements before which a process of `last` statements is killed: at least six, among them the last. */
export function deaths(dialect: Dialect, last: number): number[] {
  const step = Math.min(stepOf(dialect), Math.ceil(last / 6));
  const chosen = Array.from({ length: Math.ceil(last / step) }, (_, index) => index * step + 1);
  return chosen.at(-1) === last ? chosen : [...chosen, last];
}

/**
 * A portal on whose database and files processes are started and killed, for the tests of one file; `opened` is handed it.
 * @param settings the portal's and the processes', once they are known
 */
export function killedPortal(
  dialect: Dialect,
  opened: (portal: TestPortal) => void,
  settings: () => Record<string, string> = () => ({}),
) {
  let portal: TestPortal;
  let child: string;
  let env: Record<string, string>;
  const step = stepOf(dialect);

  beforeAll(async () => {
    child = await buildChild();
    env = settings();
    portal = await createTestPortal(dialect, { env });
    opened(portal);
  });
  afterAll(() => portal.close());

  const run = (plan: Omit<CrashPlan, "now">) =>
    runChild(child, portal.config, { ...plan, now: portal.clock.now().toISOString() }, env);
  const lastStatement = async (steps: CrashStep[]) => {
    const { statements, errors } = await run({ dieBefore: null, steps });
    expect(errors).toBe("");
    return statements ?? 0;
  };

  return { step, run, lastStatement };
}
