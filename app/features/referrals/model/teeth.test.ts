import { describe, expect, test } from "vitest";
import { describeTeeth, otherPlannedText, otherTeethText, teethIn, teethOfText } from "./teeth";

describe("teeth as a person types them", () => {
  test.each([
    ["38", ["38"], []],
    ["48 38, 38", ["38", "48"], []],
    ["18;28 og 55", ["18", "28", "55"], []],
    ["6+ +6 -6 6-", ["16", "26", "36", "46"], []],
    ["05+ +05 -05 05-", ["55", "65", "75", "85"], []],
    ["19 56 49", [], ["19", "56", "49"]],
    ["8", [], ["8"]],
    ["+6-", [], ["+6-"]],
    ["06+ 36", ["36"], ["06+"]],
    ["visdomstand", [], ["visdomstand"]],
    ["", [], []],
  ])("%s", (typed, teeth, unknown) => {
    expect(teethIn(typed)).toEqual({ teeth, unknown });
  });
});

test("are shown with side and jaw as the patient has them", () => {
  expect(describeTeeth("36, 37, 48")).toBe("36, 37 (venstre underkæbe), 48 (højre underkæbe)");
  expect(describeTeeth("18, 26, 55")).toBe("18, 55 (højre overkæbe), 26 (venstre overkæbe)");
});

describe("teeth that a text names", () => {
  test.each([
    ["Fjernelse af 36 i højre side", ["36"]],
    ["Karies 46, venstre underkæbe.", ["46"]],
    ["Op. fjernelse af 38,48", ["38", "48"]],
    ["Regio 24-26", ["24", "26"]],
    ["14 år, samarbejder fint", []],
    ["Patienten er 35-årig", []],
    ["Gravid i uge 22", []],
    ["Marevan 25 mg, 2 gange 15 ml", []],
    ["Kl. 14 den 12. marts, INR 2,5", []],
    ["Ring 86 12 34 56", []],
    ["12.11.2026", []],
    ["2x3 i 38", ["38"]],
    ["Rask, 24 år. 18 28 38 48.", ["18", "28", "38", "48"]],
    ["Tanden 38 har givet betændelse. Apikalkirurgi 15.", ["15", "38"]],
    ["Grad 3. 38", ["38"]],
    ["Ryger 15 om dagen, BMI 17, HbA1c 52.", []],
    ["BT 150/85", []],
  ])("%s", (text, teeth) => {
    expect(teethOfText(text)).toEqual(teeth);
  });
});

describe("what differs from the chosen teeth is said", () => {
  test.each([
    ["36", "Fjernelse af 46", "Teksten nævner tand 46, men valgt er 36 (venstre underkæbe)."],
    ["36", "Fjernelse af 36 i højre side", "Teksten nævner højre side, men valgt er 36 (venstre underkæbe)."],
    ["36", "Fjernelse af 36 i venstre side", null],
    ["36, 46", "Fjernelse af 36 i højre side", null],
    ["36", "Fjernelse af visdomstand", null],
    [null, "Fjernelse af 46", null],
  ])("%s and '%s'", (stored, text, said) => {
    expect(otherTeethText(stored, [text, null])).toBe(said);
  });
});

test.each([
  ["46", "36", "Planen har tand 46, men der er henvist til 36 (venstre underkæbe)."],
  ["36", "36, 37", null],
  ["36", null, null],
  [null, "36", null],
])("a plan for %s of a referral for %s", (planned, referred, said) => {
  expect(otherPlannedText(planned, referred)).toBe(said);
});
