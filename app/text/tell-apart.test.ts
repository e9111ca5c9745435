import { expect, test } from "vitest";
import { tellApart } from "./tell-apart";

test("options of one name get what tells them apart, and the others nothing", () => {
  expect(
    tellApart([
      { value: 1, label: "Jens Hansen", apart: "jens@aaen.dk" },
      { value: 2, label: "Astrid Fjeldsøe", apart: "astrid@aaen.dk" },
      { value: 3, label: "Jens Hansen", apart: "jh@torvet.dk" },
    ]),
  ).toEqual([
    { value: 1, label: "Jens Hansen", hint: "jens@aaen.dk" },
    { value: 2, label: "Astrid Fjeldsøe" },
    { value: 3, label: "Jens Hansen", hint: "jh@torvet.dk" },
  ]);
});

test("where that is equal too, or missing, the number tells them apart", () => {
  const clinic = (value: number, apart: string) => ({ value, label: "Tandhuset", apart });
  expect(
    tellApart([clinic(1, "Åvej 1"), clinic(2, "Åvej 1"), clinic(3, ""), clinic(4, "Torvet 2")]).map(({ hint }) => hint),
  ).toEqual(["Åvej 1 · nr. 1", "Åvej 1 · nr. 2", "nr. 3", "Torvet 2"]);
});

test("the work grows with the number of options, not with its square", () => {
  let reads = 0;
  const options = Array.from({ length: 2_000 }, (_, value) => ({
    value,
    apart: `Vej ${value}`,
    get label() {
      reads += 1;
      return `Tandhuset ${value % 100}`;
    },
  }));
  expect(tellApart(options)[0]).toEqual({ value: 0, label: "Tandhuset 0", hint: "Vej 0" });
  expect(reads).toBeLessThan(20 * options.length);
});
