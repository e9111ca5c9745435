import type { Locator, Page, TestInfo } from "@playwright/test";
import { expect, settled } from "./portal";

/** What a task takes of a person. */
export interface Effort {
  clicks: number;
  keys: number;
  /** Documents without JavaScript, addresses with it. */
  pages: number;
  /** Pixels scrolled until each pressed element was seen. */
  scrolled: number;
  /** Pixels of the tallest page. */
  height: number;
}

/** A task's effort, as the reporter effort-table.ts reads it from the test's annotations. */
export interface EffortRow extends Effort {
  task: string;
  aim: string;
}

type Files = Parameters<Locator["setInputFiles"]>[0];

/** Works with a page as a person does, and counts it. Choosing files is two clicks, dropping them one. */
export class Hands {
  readonly effort: Effort = { clicks: 0, keys: 0, pages: 0, scrolled: 0, height: 0 };

  constructor(private readonly page: Page) {
    page.on("framenavigated", (frame) => {
      this.effort.pages += Number(frame === page.mainFrame());
    });
  }

  async click(target: Locator): Promise<void> {
    this.effort.scrolled += await target.evaluate(hiddenPixels);
    this.effort.clicks += 1;
    await target.click();
    await this.look();
  }

  async press(key: string): Promise<void> {
    this.effort.keys += 1;
    await this.page.keyboard.press(key);
    await this.look();
  }

  async type(text: string): Promise<void> {
    this.effort.keys += text.length;
    await this.page.keyboard.type(text);
  }

  async choose(input: Locator, files: Files): Promise<void> {
    this.effort.clicks += 2;
    await input.setInputFiles(files);
    await this.look();
  }

  async drop(target: Locator, files: readonly { name: string; buffer: Buffer }[]): Promise<void> {
    this.effort.clicks += 1;
    const given = files.map(({ name, buffer }) => ({ name, base64: buffer.toString("base64") }));
    const transfer = await this.page.evaluateHandle((all) => {
      const data = new DataTransfer();
      for (const { name, base64 } of all)
        data.items.add(new File([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))], name));
      return data;
    }, given);
    await target.dispatchEvent("drop", { dataTransfer: transfer });
    await this.look();
  }

  /** Drops a file as the browser does it for a file input, also without JavaScript. */
  async dropFile(input: Locator, path: string): Promise<void> {
    this.effort.scrolled += await input.evaluate(hiddenPixels);
    this.effort.clicks += 1;
    const { x, y, width, height } = (await input.boundingBox())!;
    const devTools = await this.page.context().newCDPSession(this.page);
    for (const type of ["dragEnter", "dragOver", "drop"] as const)
      await devTools.send("Input.dispatchDragEvent", {
        type,
        x: x + width / 2,
        y: y + height / 2,
        data: { items: [], files: [path], dragOperationsMask: 1 },
      });
    await devTools.detach();
    await this.look();
  }

  async look(): Promise<void> {
    // A page that is left meanwhile is measured again.
    await expect(async () => {
      await settled(this.page);
      const height = await this.page.evaluate(() => document.documentElement.scrollHeight);
      this.effort.height = Math.max(this.effort.height, height);
    }).toPass({ timeout: 20_000 });
  }

  /** Puts the effort into the table of `npm run journeys` and holds it to its limits. `aim`: what it could be. */
  report(test: TestInfo, task: string, limits: Partial<Effort>, aim: string): void {
    const row: EffortRow = { task, aim, ...this.effort };
    test.annotations.push({ type: "effort", description: JSON.stringify(row) });
    for (const [name, limit] of Object.entries(limits))
      expect(this.effort[name as keyof Effort], `${name} of: ${task}`).toBeLessThanOrEqual(limit);
  }
}

/** How far an element is outside the window or under a sticky bar. Runs in the browser. */
function hiddenPixels(element: Element): number {
  const { left, top, bottom } = element.getBoundingClientRect();
  if (top < 0) return Math.ceil(-top);
  if (bottom > innerHeight) return Math.ceil(bottom - innerHeight);
  const seen = document.elementFromPoint(left + 4, (top + bottom) / 2);
  return seen === element || element.contains(seen) ? 0 : Math.ceil(bottom - top);
}
