// @module-tag node
import { describe, expect, test } from "vitest";
import { type ControlValues, openedWith, readOpened } from "~/text/control-values";
import { mergeFields } from "./merge-fields.server";

interface Case {
  opened: ControlValues;
  typed?: Record<string, string | string[]>;
  present: ControlValues;
  groups?: string[][];
}

function merge({ opened, typed = {}, present, groups }: Case) {
  const sent = new FormData();
  for (const [name, value] of Object.entries({ ...opened, ...typed }))
    for (const each of [value ?? ""].flat()) if (each !== "" || !(name in typed)) sent.append(name, each);
  const {
    changed,
    opened: next,
    ...merged
  } = mergeFields(sent, readOpened(openedWith(opened)), { values: present }, { groups });
  return { changed: Object.fromEntries(changed), next, ...merged };
}

describe("a field", () => {
  test("that nobody touched takes the present value", () => {
    expect(merge({ opened: { mobile: "10" }, present: { mobile: "20" } })).toMatchObject({
      changed: { mobile: ["20"] },
      conflicts: {},
    });
  });

  test("that somebody else changed is named, unless its person changed it too", () => {
    const opened = { mobile: "10", city: "Vejle", boxes: ["1"] };
    const present = { mobile: "20", city: "Odense", boxes: ["1", "2"] };
    expect(merge({ opened, present })).toMatchObject({ isUntouched: true, followed: ["mobile", "city"] });
    const typed = { city: "Aarhus" };
    expect(merge({ opened, typed, present })).toMatchObject({ isUntouched: false, followed: ["mobile"] });
  });

  test("that is a choice is touched by text alone, and loses its text with the choice", () => {
    const [opened, present] = [{ who: "7" }, { who: "8" }];
    const untouched = merge({ opened, typed: { whoText: "Signe" }, present });
    expect(untouched).toMatchObject({ changed: { who: ["8"], whoText: [] }, conflicts: {} });
    const searched = merge({ opened: { who: "" }, typed: { whoText: "Signe" }, present });
    expect(searched.conflicts).toEqual({ who: ["Nu: 8"] });
  });

  test("that is a list is touched by what its person ticks and unticks", () => {
    const [opened, present] = [{ boxes: ["1"] }, { boxes: ["1", "2"] }];
    expect(merge({ opened, present }).isUntouched).toBe(true);
    expect(merge({ opened, typed: { boxes: ["1", "3"] }, present }).isUntouched).toBe(false);
    expect(merge({ opened, typed: { boxes: "" }, present }).isUntouched).toBe(false);
  });

  test("that its person changed stays as typed", () => {
    const { changed, conflicts } = merge({
      opened: { mobile: "10" },
      typed: { mobile: "30" },
      present: { mobile: "10" },
    });
    expect([changed, conflicts]).toEqual([{}, {}]);
  });

  test("that both changed is a conflict which names the present value", () => {
    const { conflicts, next } = merge({
      opened: { mobile: "10" },
      typed: { mobile: "30" },
      present: { mobile: "20" },
    });
    expect(conflicts).toEqual({ mobile: ["Nu: 20"] });
    expect(next).toBe(openedWith({ mobile: "20" }));
  });

  test("that both changed to the same value is no conflict", () => {
    expect(merge({ opened: { mobile: "10" }, typed: { mobile: "20" }, present: { mobile: "20" } }).conflicts).toEqual(
      {},
    );
  });

  test("with CRLF line ends is untouched", () => {
    const opened = { comment: "one\ntwo" };
    expect(merge({ opened, typed: { comment: "one\r\ntwo" }, present: { comment: "new" } }).changed).toEqual({
      comment: ["new"],
    });
  });

  test("that the page did not draw follows, and is no conflict", () => {
    const opened = { referrer: "1", clinic: "5" };
    const groups = [["referrer", "clinic"]];
    const undrawn = { clinic: "" };
    expect(merge({ opened, typed: undrawn, present: { referrer: "2", clinic: "6" }, groups })).toMatchObject({
      changed: { referrer: ["2"], clinic: ["6"] },
      conflicts: {},
    });
    expect(
      merge({ opened, typed: { referrer: "3", ...undrawn }, present: { referrer: "1", clinic: "6" }, groups })
        .conflicts,
    ).toEqual({ referrer: ["Nu: 1"] });
  });

  test("that the form was not opened with is taken as it was sent", () => {
    const sent = new FormData();
    sent.append("mobile", "30");
    const merged = mergeFields(sent, readOpened(""), { values: { mobile: "20" } }, {});
    expect([merged.changed, merged.conflicts]).toEqual([[], {}]);
  });
});

describe("a box", () => {
  test("that a colleague ticked stays ticked", () => {
    expect(merge({ opened: { isOn: "" }, typed: { isOn: "" }, present: { isOn: "on" } }).changed).toEqual({
      isOn: ["on"],
    });
  });

  test("that a colleague unticked stays unticked", () => {
    expect(merge({ opened: { isOn: "on" }, present: { isOn: "" } }).changed).toEqual({ isOn: [] });
  });
});

describe("a group", () => {
  const groups = [["zip", "city"]];

  test("follows as a whole where nobody touched it", () => {
    const opened = { zip: "8000", city: "Aarhus C" };
    expect(merge({ opened, present: { zip: "5000", city: "Odense C" }, groups }).changed).toEqual({
      zip: ["5000"],
      city: ["Odense C"],
    });
  });

  test("of which both changed a part is a conflict", () => {
    const { changed, conflicts } = merge({
      opened: { zip: "8000", city: "Aarhus C" },
      typed: { city: "Aarhus N" },
      present: { zip: "8200", city: "Aarhus C" },
      groups,
    });
    expect([changed, conflicts]).toEqual([{}, { zip: ["Nu: 8200"], city: ["Nu: Aarhus C"] }]);
  });
});

describe("facts that a form sees", () => {
  const see = (opened: ControlValues, present: ControlValues) =>
    mergeFields(new FormData(), readOpened(openedWith(opened)), { values: {} }, {}, { seen: present });

  test("are named when they have moved, and opened anew in the answer", () => {
    const { moved, opened } = see({ status: "2", files: "1 2" }, { status: "2", files: "1 2 3" });
    expect([moved, opened]).toEqual([["files"], openedWith({ status: "2", files: "1 2 3" })]);
  });

  test("that the page did not show are not asked about, and those of other buttons stay", () => {
    const { moved, opened } = see({ status: "2" }, { files: "1" });
    expect([moved, opened]).toEqual([[], openedWith({ status: "2" })]);
  });
});

test("a list keeps what each of two people added and took away", () => {
  expect(
    merge({
      opened: { types: ["1", "2", "3"] },
      typed: { types: ["2", "3", "4"] },
      present: { types: ["1", "2", "5"] },
    }).changed,
  ).toEqual({ types: ["2", "5", "4"] });
});
