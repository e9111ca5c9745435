// @module-tag matrix
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import bcd, { type CompatStatement, type Identifier } from "@mdn/browser-compat-data" with { type: "json" };
import ts from "typescript";
import { expect, test } from "vitest";

/** Supported browsers. */
const TARGETS = { chrome: 80, safari_ios: 12.2 } as const;

/** Newer features, and why they are harmless. */
const GUARDED: Record<string, string> = {
  "HTMLDialogElement.showModal":
    "app/ui/feedback/dialog.tsx asks for it first; without it the class lays the dialog over the page",
  "HTMLDialogElement.close": "only where there is showModal",
  "HTMLDialogElement.open": "only where there is showModal",
  "Navigator.clipboard":
    "app/routes/management.settings.api-noegler/route.tsx asks for it first; the key can be marked and copied by hand",
  "Clipboard.writeText": "as above",
  clipboard: "as above",
  writeText: "as above",
  "HTMLInputElement.showPicker": "app/ui/forms/date-field.tsx shows the calendar's button only where it is there",
  "SubmitEvent.submitter": "app/ui/forms/restore-fields.ts puts it on the event",
  submitter: "as above, and Remix reads it there",
  showModal: "as above",
  showPicker: "as above",
  toBase64: "js-base64 asks for it first",
  BigInt: "React Router's decoder of single-fetch answers, which the portal does not use",
  TransformStream: "the same decoder",
  ariaInvalid: "an option of Conform's, not the element's property",
  requestSubmit: "Conform asks for it first, for buttons of its own, which the portal does not use",
  isInputPending: "React's scheduler asks for it first",
  scheduling: "as above",
  startViewTransition: "React Router, for links that ask for a view transition; none does",
  skipTransition: "as above",
  finished: "as above",
  imageSizes: "a prop of React's and Remix's preload links",
  animation: "a key of React's table of event names",
  connection: "Remix asks for it before it prefetches",
  saveData: "as above",
  delay: "an option of React's scheduler",
  parameters: "a field of the API's page",
  subject: "a field of the development outbox",
  orientation: "a fact of a DICOM file",
  in: "an option of date-fns for the time zone",
};

function isSupported({ support }: CompatStatement): boolean {
  return Object.entries(TARGETS).every(([browser, version]) =>
    [support[browser as keyof typeof TARGETS] ?? []]
      .flat()
      .some(({ version_added: added, version_removed: removed, flags, prefix, alternative_name: other }) => {
        if (!added || flags || prefix || other) return false;
        return (
          Number.parseFloat(String(added).replace("≤", "")) <= version &&
          (!removed || Number.parseFloat(String(removed)) > version)
        );
      }),
  );
}

const compatOf = (entry: CompatStatement | Identifier | undefined) =>
  (entry as { ["__compat"]?: CompatStatement } | undefined)?.["__compat"];

/** Every interface and built-in object with its members. */
const objects = new Map<string, Identifier>(
  [bcd.api, bcd.javascript.builtins!, bcd.javascript.builtins!.Intl!].flatMap((group) =>
    Object.entries(group as Record<string, Identifier>).filter(([name]) => name !== "__compat"),
  ),
);
/** Members of mixins are listed with each interface; the types name the mixin. */
const MIXINS: Record<string, string> = {
  ParentNode: "Element",
  ChildNode: "Element",
  NonDocumentTypeChildNode: "Element",
  WindowOrWorkerGlobalScope: "Window",
  HTMLOrSVGElement: "HTMLElement",
  Body: "Response",
  GlobalEventHandlers: "Element",
};
const memberOf = (object: string, member: string) => {
  const entry = objects.get(MIXINS[object] ?? object.replace(/Constructor$/, ""));
  const [own, ofClass] = [entry?.[member], entry?.[`${member}_static`]];
  return compatOf(object.endsWith("Constructor") ? (ofClass ?? own) : (own ?? ofClass));
};

/** Whether a member of this name is too new in every interface that has it. */
const memberNames = new Map<string, boolean>();
/** Names that are too new in some interface: only these need types. */
const suspects = new Set<string>();
for (const [object, entry] of objects) {
  const own = compatOf(entry);
  if (own && !isSupported(own)) suspects.add(object);
  for (const [name, each] of Object.entries(entry)) {
    const compat = compatOf(each);
    if (!compat || name.endsWith("_event")) continue;
    const member = name.replace(/_static$/, "");
    if (!isSupported(compat)) suspects.add(member);
    memberNames.set(member, (memberNames.get(member) ?? true) && !isSupported(compat));
  }
}
const isTooNewName = (name: string) => memberNames.get(name) === true;
const isTooNewGlobal = (name: string) => {
  const compat = compatOf(objects.get(name)) ?? memberOf("Window", name);
  return compat !== undefined && !isSupported(compat);
};

function eachNode(root: ts.Node, visit: (node: ts.Node) => void): void {
  visit(root);
  ts.forEachChild(root, (child) => eachNode(child, visit));
}

/** By name only, for scripts without types: names that the script declares itself do not count. */
function newerNames(codes: string[]): Set<string> {
  const trees = codes.map((code) => ts.createSourceFile("script.js", code, ts.ScriptTarget.Latest));
  const own = new Set<string>();
  const used = new Set<string>();
  for (const tree of trees) {
    eachNode(tree, (node) => {
      if (
        (ts.isPropertyAssignment(node) ||
          ts.isMethodDeclaration(node) ||
          ts.isPropertyDeclaration(node) ||
          ts.isAccessor(node)) &&
        ts.isIdentifier(node.name)
      )
        own.add(node.name.text);
      if (ts.isShorthandPropertyAssignment(node)) own.add(node.name.text);
      if (ts.isBindingElement(node)) own.add(((node.propertyName ?? node.name) as ts.Identifier).text);
      if (ts.isBinaryExpression(node) && ts.isPropertyAccessExpression(node.left)) own.add(node.left.name.text);
      if (ts.isPropertyAccessExpression(node) && isTooNewName(node.name.text)) used.add(node.name.text);
      if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        ts.isIdentifier(node.expression) &&
        isTooNewGlobal(node.expression.text)
      )
        used.add(node.expression.text);
    });
  }
  return new Set([...used].filter((name) => !own.has(name)));
}

/** By the sources' types: exactly the member that is used. */
function newerMembers(files: string[], overlay: Record<string, string> = {}): Map<string, string> {
  const options: ts.CompilerOptions = {
    ...ts.convertCompilerOptionsFromJson(JSON.parse(readFileSync("tsconfig.json", "utf8")).compilerOptions, ".")
      .options,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const read = host.readFile.bind(host);
  host.readFile = (name) => overlay[name] ?? read(name);
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => name in overlay || exists(name);
  const program = ts.createProgram([...files, ...Object.keys(overlay)], options, host);
  const checker = program.getTypeChecker();
  const found = new Map<string, string>();
  const note = (symbol: ts.Symbol | undefined, at: ts.SourceFile) => {
    const declaration = symbol?.declarations?.find((each) =>
      /typescript\/lib\/lib\./.test(each.getSourceFile().fileName),
    );
    if (!symbol || !declaration) return;
    const parent = ts.isInterfaceDeclaration(declaration.parent) ? declaration.parent.name.text : null;
    const compat = parent
      ? memberOf(parent, symbol.name)
      : (compatOf(objects.get(symbol.name)) ?? memberOf("Window", symbol.name));
    if (compat && !isSupported(compat))
      found.set(
        parent ? `${parent.replace(/Constructor$/, "")}.${symbol.name}` : symbol.name,
        path.relative(".", at.fileName),
      );
  };
  for (const file of program.getSourceFiles()) {
    const name = path.relative(".", file.fileName);
    if (!(name.startsWith("app/") || name in overlay) || /\.server\.|\.test\.|(^|\/)server\//.test(name)) continue;
    eachNode(file, (node) => {
      if (ts.isPropertyAccessExpression(node) && suspects.has(node.name.text))
        note(checker.getSymbolAtLocation(node.name), file);
      if (
        (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
        ts.isIdentifier(node.expression) &&
        suspects.has(node.expression.text)
      )
        note(checker.getSymbolAtLocation(node.expression), file);
    });
  }
  return found;
}

const under = (folder: string, ending: RegExp) =>
  readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => ending.test(name));

test("our sources use nothing that Chrome 80 and iOS 12.2 lack, except what is guarded", () => {
  const found = newerMembers(under("app", /(?<!\.server|\.test)\.tsx?$/));
  expect(Object.fromEntries([...found].filter(([name]) => !(name in GUARDED)))).toEqual({});
});

test("built scripts use nothing that Chrome 80 and iOS 12.2 lack", () => {
  const scripts = under(path.join("public", "build"), /\.js$/).map((name) => readFileSync(name, "utf8"));
  expect(scripts.length).toBeGreaterThan(10);
  expect([...newerNames(scripts)].filter((name) => !(name in GUARDED)).sort()).toEqual([]);
});

test("detects too recent features by types and by names", () => {
  const code =
    "export const f = (event: SubmitEvent, list: number[]) => [event.submitter, list.at(-1), Object.hasOwn({}, 'a'), crypto.randomUUID(), structuredClone(list), 'a'.replaceAll('a', 'b'), document.body.replaceChildren()];";
  const byTypes = newerMembers([], { "app/too-new.ts": code });
  expect([...byTypes.keys()].sort()).toEqual(
    [
      "Array.at",
      "Crypto.randomUUID",
      "ParentNode.replaceChildren",
      "Object.hasOwn",
      "String.replaceAll",
      "SubmitEvent.submitter",
      "structuredClone",
    ].sort(),
  );
  expect([...newerNames([code])].sort()).toEqual([
    "at",
    "hasOwn",
    "randomUUID",
    "replaceAll",
    "replaceChildren",
    "structuredClone",
    "submitter",
  ]);
});
