import { expect, test } from "vitest";
import { Markup, markup } from "./markup";

test("what is put in is text, also inside an attribute", () => {
  const name = `<b onclick="x">&`;
  expect(markup`<td title="${name}">${name}</td>`.html).toBe(`<td title="&#60;b onclick=&#34;x&#34;&#62;&#38;">&#60;b onclick=&#34;x&#34;&#62;&#38;</td>`);
});

test("markup goes in as it is, alone or several; nothing leaves nothing", () => {
  const tag = markup`<i>${1}</i>`;
  expect(markup`${tag}${[tag, tag]}${null}${undefined}${false}${0}`.html).toBe("<i>1</i><i>1</i><i>1</i>0");
  expect(tag).toBeInstanceOf(Markup);
});
