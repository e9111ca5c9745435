import { printable } from "~/files/pdf/printable.server";
import { colour, gap, page, PdfPages, shorten } from "./pdf-pages.server";

export interface PdfFact {
  label: string;
  value: string | number | null | undefined;
  span?: number;
}

export interface PdfTag {
  text: string;
  tone: "urgent" | "quiet";
}

/**
 * Writes tagged A4 pages from top to bottom: headings, paragraphs and tables for screen readers, the rest as
 * decoration. Characters missing in the font are named in brackets.
 */
export class ReferralPdfSheet extends PdfPages {
  title(text: string, tags: PdfTag[], meta: string) {
    const top = this.doc.y;
    let right = this.left + this.width;
    const placed = [...tags].reverse().map((tag) => {
      this.doc.font("strong").fontSize(9.5);
      const label = shorten(printable(tag.text), 34);
      const width = this.doc.widthOfString(label) + 18;
      right -= width + 6;
      return { ...tag, label, x: right + 6, width };
    });
    this.write(this.root, "H1", text, {
      x: this.left,
      y: top,
      width: right - this.left - 8,
      font: "strong",
      size: 22,
      oneLine: true,
    });
    const below = this.doc.y;
    for (const { label, tone, x, width } of placed.reverse()) {
      const [ground, ink] = tone === "urgent" ? [colour.urgentGround, colour.urgent] : [colour.tint, colour.accent];
      this.decorate(() => this.doc.roundedRect(x, top + 5, width, 19, 4).fill(ground));
      this.write(this.root, "P", label, {
        x: x + 9,
        y: top + 8.2,
        width: width - 8,
        font: "strong",
        size: 9.5,
        colour: ink,
        oneLine: true,
      });
    }
    this.doc.y = below + 1;
    this.write(this.root, "P", meta, {
      x: this.left,
      y: this.doc.y,
      width: this.width,
      size: 10,
      colour: colour.ink2,
    });
    this.doc.y += 14;
  }

  headline(main: string, aside: string) {
    const asideWidth = this.width * 0.36;
    const mainWidth = this.width - asideWidth - 36;
    const top = this.doc.y;
    const height = Math.max(this.height(main, mainWidth, "strong", 15), 20) + 20;
    const ground = height < 300;
    if (ground) {
      this.decorate(() => {
        this.doc.roundedRect(this.left, top, this.width, height, 3).fill(colour.tint);
        this.doc.rect(this.left, top, 3, height).fill(colour.accent);
      });
    }
    this.write(this.root, "P", aside, {
      x: this.left + this.width - asideWidth - 14,
      y: top + 11,
      width: asideWidth,
      font: "strong",
      size: 12.5,
      align: "right",
      oneLine: true,
    });
    this.write(this.root, "P", main, { x: this.left + 16, y: top + 9, width: mainWidth, font: "strong", size: 15 });
    this.doc.y = Math.max(this.doc.y + 12, ground ? top + height + 12 : 0);
  }

  section(text: string, height = 72) {
    this.keepTogether(height);
    if (this.doc.y > page.top) {
      this.doc.y += 4;
      this.rule(colour.line);
      this.doc.y += 11;
    }
    this.write(this.root, "H2", text, {
      x: this.left,
      y: this.doc.y,
      width: this.width,
      font: "strong",
      size: 12.5,
      colour: colour.accent,
    });
    this.doc.y += 5;
  }

  facts(facts: PdfFact[], columns = 3) {
    const shown = facts
      .map((fact) => ({
        ...fact,
        text: printable(String(fact.value ?? "")).trim(),
        span: Math.min(fact.span ?? 1, columns),
      }))
      .filter(({ text }) => text !== "");
    if (shown.length === 0) return;
    const table = this.doc.struct("Table");
    this.root.add(table);
    const widthOf = (span: number) => ((this.width - gap * (columns - 1)) / columns) * span + gap * (span - 1);
    for (let rest = shown; rest.length > 0;) {
      let used = 0;
      let count = 0;
      while (count < rest.length && used + rest[count]!.span <= columns) used += rest[count++]!.span;
      const cells = rest.slice(0, count);
      rest = rest.slice(count);

      const height = Math.max(...cells.map(({ text, span }) => this.height(text, widthOf(span), "regular", 10.5))) + 14;
      const flows = height > 400;
      this.keepTogether(flows ? 60 : height + 4);
      const top = this.doc.y;
      let column = 0;
      for (const { label, text, span } of cells) {
        // A value longer than half a page gets the full width and may break over pages.
        const x = flows ? this.left : this.left + (widthOf(1) + gap) * column;
        const width = flows ? this.width : widthOf(span);
        if (flows) this.keepTogether(60);
        const row = this.doc.struct("TR");
        table.add(row);
        this.write(row, "TH", label, {
          x,
          y: flows ? this.doc.y : top,
          width,
          size: 9,
          colour: colour.ink2,
          oneLine: true,
        });
        this.write(row, "TD", text, { x, y: flows ? this.doc.y : top + 12, width, size: 10.5 });
        column += span;
        if (flows) this.doc.y += 9;
      }
      if (!flows) this.doc.y = top + height + 7;
    }
  }

  text(label: string, text: string | null | undefined) {
    const shown = printable(text ?? "").trim();
    if (shown === "") return;
    this.keepTogether(46);
    const top = this.doc.y;
    const indent = 116;
    this.write(this.root, "H3", label, {
      x: this.left,
      y: top + 1.5,
      width: indent - gap,
      size: 9,
      colour: colour.ink2,
      oneLine: true,
    });
    this.write(this.root, "P", shown, {
      x: this.left + indent,
      y: top,
      width: this.width - indent,
      size: 10.5,
      lineGap: 1.5,
    });
    this.doc.y += 7;
  }

  table(head: string[], rows: string[][], widths: number[]) {
    const table = this.doc.struct("Table");
    this.root.add(table);
    const share = this.width / widths.reduce((sum, width) => sum + width, 0);
    const drawRow = (cells: string[], type: "TH" | "TD", next: string[][]) => {
      const boxes = cells.map((_, index) => ({
        x: this.left + 8 + share * widths.slice(0, index).reduce((sum, width) => sum + width, 0),
        width: share * (widths[index] ?? 1) - 16,
      }));
      const style =
        type === "TH"
          ? ({ font: "strong", size: 9, colour: colour.ink2 } as const)
          : ({ font: "regular", size: 10, colour: colour.ink } as const);
      const shown = cells.map((cell) => shorten(printable(cell), 300));
      const heightOf = (row: string[]) =>
        Math.max(...row.map((cell, index) => this.height(cell, boxes[index]!.width, style.font, style.size))) + 9;
      const height = heightOf(shown);
      const following = next.map((row) => heightOf(row.map((cell) => shorten(printable(cell), 300))));
      this.keepTogether(height + 2 + following.reduce((sum, each) => sum + each, 0));
      const top = this.doc.y;
      if (type === "TH") this.decorate(() => this.doc.rect(this.left, top, this.width, height).fill(colour.raised));
      const row = this.doc.struct("TR");
      table.add(row);
      shown.forEach((cell, index) =>
        this.write(row, type, cell, { ...boxes[index]!, y: top + 4, ...style, scope: "Column" }),
      );
      this.doc.y = top + height;
      this.rule(type === "TH" ? colour.line2 : colour.line);
    };
    drawRow(head, "TH", rows.slice(0, rows.length === 2 ? 2 : 1));
    rows.forEach((row, index) => drawRow(row, "TD", index === rows.length - 2 ? rows.slice(-1) : []));
    this.doc.y += 12;
  }
}
