import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { findWebKit } from "./other-browsers.mjs";

/** WebKitGTK as a patient's browser, by WebDriver. */
export interface WebKit {
  goto(address: string): Promise<void>;
  /** Evaluates a script in the page. */
  evaluate<T>(script: string): Promise<T>;
  /** Clicks the first matching element. */
  click(css: string): Promise<void>;
  close(): Promise<void>;
}

/** The protocol's JSON key of an element. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

export async function startWebKit(): Promise<WebKit> {
  const { driver, display, browser } = findWebKit()!;
  const programs: ChildProcess[] = [];
  const number = 100 + (process.pid % 800);
  programs.push(spawn(display, [`:${number}`, "-screen", "0", "800x900x24", "-nolisten", "tcp"], { stdio: "ignore" }));
  const port = await freePort();
  const env = {
    ...process.env,
    DISPLAY: `:${number}`,
    LIBGL_ALWAYS_SOFTWARE: "1",
    // Its sandbox does not work inside a container.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
  };
  programs.push(spawn(driver, ["--host=127.0.0.1", `--port=${port}`], { env, stdio: "ignore" }));
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { "content-type": "application/json" } } : {}),
    });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${method} ${path}: ${value?.error} ${value?.message}`);
    return value;
  };
  const wanted = { "webkitgtk:browserOptions": { binary: browser, args: ["--automation"] } };
  const { sessionId } = await repeatedly(() =>
    ask<{ sessionId: string }>("POST", "/session", { capabilities: { alwaysMatch: wanted } }),
  );
  const session = `/session/${sessionId}`;
  return {
    goto: (url) => ask("POST", `${session}/url`, { url }),
    evaluate: (script) => ask("POST", `${session}/execute/sync`, { script: `return ${script}`, args: [] }),
    async click(css) {
      const element = await ask<Record<string, string>>("POST", `${session}/element`, {
        using: "css selector",
        value: css,
      });
      await ask("POST", `${session}/element/${element[ELEMENT]}/click`, {});
    },
    async close() {
      await ask("DELETE", session).catch(() => undefined);
      for (const program of programs.reverse()) program.kill();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Until display and driver are running. */
async function repeatedly<T>(work: () => Promise<T>): Promise<T> {
  for (let turn = 0; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      if (turn === 40) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
