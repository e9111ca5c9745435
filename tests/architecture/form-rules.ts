import ts from "typescript";
import { calledOn, callsIn, isTest, lineOf, parse, resolve, type Rule, type SourceText } from "./source-text";

/** POST forms without a ticket, with the reason. */
const withoutTicket: Record<string, string> = {
  "app/http/forms/action-form.tsx": "draws the ticket itself",
  "app/components/list/filter-panel.tsx": "a look-up: a filter changes nothing",
  "app/routes/management/patient-search.tsx": "a look-up: a search changes nothing",
  "app/components/directory-list/directory-list.tsx": "a look-up: a filter changes nothing",
  "app/components/referrer-picker/referrer-picker.tsx": "a look-up: a search changes nothing",
  "app/components/patient-link/patient-link.tsx": "a page of a patient's link: nobody is signed in",
  "app/routes/aftale/route.tsx": "a page of a patient's link: nobody is signed in",
  "app/routes/book-parking/route.tsx": "a public page: nobody is signed in",
  "app/routes/change-password/route.tsx": "a mailed link: nobody is signed in",
  "app/routes/login/route.tsx": "nobody is signed in yet",
  "app/components/sign-in/code-form.tsx": "nobody is signed in yet",
  "app/components/sign-in/binding-form.tsx": "nobody is signed in yet",
  "app/ui/feedback/error-page.tsx": "signs out, where no page could be read",
  "app/routes/dev.outbox/route.tsx": "exists outside production only",
};

const postingForm = /<(?:form|Form|\w+\.Form)\s[^<]*?method="post"/g;

/** POST forms are `ActionForm`s or render `TicketFields`; exceptions are listed with their reason. */
export const formsCarryTickets: Rule = (sources) =>
  sources
    .filter(({ path: file }) => file.startsWith("app/") && file.endsWith(".tsx") && !isTest(file))
    .filter(({ path: file, text }) => !(file in withoutTicket) && !text.includes("<TicketFields"))
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(postingForm)].map(({ index }) => ({
        path: file,
        line: text.slice(0, index).split("\n").length,
        why: "draw an ActionForm (app/http/forms/action-form.tsx), or list the form with its reason",
      })),
    );

/** Hidden fields that the ticket sets: a form could claim other values. */
const saidByTicket = /<input\s+type="hidden"\s+name="(?:referralId|seenVersion|version|formKey)"/g;

/** Used by its own page only, to recognise the row being saved. */
const namesItsRow = "app/components/status-form/status-form.tsx";

export const ticketsSayTheSubject: Rule = (sources) =>
  sources
    .filter(({ path: file }) => file.startsWith("app/") && file.endsWith(".tsx") && file !== namesItsRow)
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(saidByTicket)].map(({ index }) => ({
        path: file,
        line: text.slice(0, index).split("\n").length,
        why: "name it in the loader's `subject`, or as the form's `item`",
      })),
    );

/** Components that draw a form of their own, which a place tells apart from those of other rows. */
const FORMS_FILE = "app/http/forms/action-form.tsx";
const FORMS: ReadonlySet<string> = new Set(["ActionForm", "TicketForm", "TicketFields"]);

interface Drawn {
  source: SourceText;
  /** The component that draws it, or the file's own name for other code. */
  by: string;
  tag: ts.JsxOpeningLikeElement;
  isInRow: boolean;
}

/**
 * A form that is drawn once per row, or by a component that is, names its `place`: without one the refusal of one row is
 * drawn at the others. A fetcher's form needs none, because a fetcher has answers of its own.
 */
export const rowsFormsHavePlaces: Rule = (sources) => {
  const drawn = sources
    .filter(
      ({ path: file }) => file.startsWith("app/") && file.endsWith(".tsx") && !isTest(file) && file !== FORMS_FILE,
    )
    .flatMap(tagsOf);
  const inRows = new Set<string>();
  for (let before = -1; before !== inRows.size;) {
    before = inRows.size;
    for (const { source, by, tag, isInRow } of drawn)
      if (isInRow || inRows.has(`${source.path} ${by}`)) inRows.add(componentOf(source, tag));
  }
  return drawn
    .filter(({ source, by, isInRow }) => isInRow || inRows.has(`${source.path} ${by}`))
    .filter(({ source, tag }) => FORMS.has(nameOf(source, tag)) && !hasPlace(tag) && !isOfFetcher(source, tag))
    .map(({ source, tag }) => ({
      path: source.path,
      line: lineOf(parse(source), tag),
      why: "a form in a list names its `place`, of its operation and the row's number",
    }));
};

const nameOf = (source: SourceText, { tagName }: ts.JsxOpeningLikeElement) => tagName.getText(parse(source));

const hasPlace = ({ attributes }: ts.JsxOpeningLikeElement) =>
  attributes.properties.some((each) => ts.isJsxAttribute(each) && each.name.getText() === "place");

function isOfFetcher(source: SourceText, tag: ts.JsxOpeningLikeElement): boolean {
  for (let each: ts.Node = tag; each.parent; each = each.parent)
    if (ts.isJsxElement(each) && nameOf(source, each.openingElement).endsWith("etcher.Form")) return true;
  return false;
}

function tagsOf(source: SourceText): Drawn[] {
  const tree = parse(source);
  const found: Drawn[] = [];
  const visit = (node: ts.Node, by: string, isInRow: boolean): void => {
    if (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node))
      found.push({ source, by, tag: node, isInRow });
    ts.forEachChild(node, (child) => visit(child, by, isInRow || drawsRows(tree, child)));
  };
  for (const statement of tree.statements) {
    if (ts.isFunctionDeclaration(statement)) visit(statement, statement.name?.text ?? "", false);
    else if (ts.isVariableStatement(statement))
      for (const each of statement.declarationList.declarations) visit(each, each.name.getText(tree), false);
  }
  return found;
}

/** What is passed to `map`, and the cell of a list's column. */
const drawsRows = (tree: ts.SourceFile, node: ts.Node): boolean =>
  (ts.isCallExpression(node.parent) && node.parent.arguments.includes(node as ts.Expression)
    ? /^(map|flatMap)$/.test(calledOn(tree, node.parent)[1])
    : false) ||
  ((ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)) && node.name.getText(tree) === "cell");

/** `file Name` of a drawn component, also where it is imported. */
function componentOf(source: SourceText, tag: ts.JsxOpeningLikeElement): string {
  const name = nameOf(source, tag);
  for (const statement of parse(source).statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    const element = bindings.elements.find((each) => each.name.text === name);
    if (element)
      return `${resolve(source.path, statement.moduleSpecifier.text)}.tsx ${(element.propertyName ?? element.name).text}`;
  }
  return `${source.path} ${name}`;
}

const getForm = /\bformMethod="get"/g;

/** A button that sends its form by GET puts the form's ticket into the address and the browser's history. */
export const ticketsStayOutOfAddresses: Rule = (sources) =>
  sources
    .filter(({ path: file }) => file.startsWith("app/") && file.endsWith(".tsx") && !isTest(file))
    .flatMap(({ path: file, text }) =>
      [...text.matchAll(getForm)].map(({ index }) => ({
        path: file,
        line: text.slice(0, index).split("\n").length,
        why: "let a look-up answer the form and lead to the address",
      })),
    );

/** Operations of forms with proposals that are not what is stored, with the reason; files where it is no literal. */
const proposes: Record<string, string> = {
  "app/components/list/filter-panel.tsx": "a look-up",
  "app/components/merge-panel/merge-panel.tsx": "a merge compares the version of each row",
  bookParking: "makes a booking",
  createApiKey: "makes a key",
  createClinic: "makes a clinic",
  createUser: "makes a user",
  importDirectory: "starts an import",
  placeSms: "chooses a referral",
  replySms: "writes a message",
  sendAppointmentLetter: "sends a letter",
  sendBill: "sends a bill",
  sendRadiographLink: "sends a link",
  setAllStatuses: "chooses a status for many",
  uploadDirectory: "starts an import",
  writeLetter: "makes a letter",
  writeMessage: "writes a message",
};

/**
 * A form that draws stored values is merged with what is stored when it is sent: its operation declares `edit`, and the
 * form carries what it was opened with (docs/decisions/0118).
 */
export const storedValuesAreMerged: Rule = (sources) => {
  const edits = new Set(
    sources
      .filter(({ path: file }) => /\.server\.tsx?$/.test(file))
      .flatMap(({ text }) =>
        [
          ...text.matchAll(/\bexport const (\w+) = (?:change|external)\(\{(?:(?!\b(?:run|prepare)\b)[^])*?\bedit:/g),
        ].map(([, name]) => name),
      ),
  );
  return sources
    .filter(
      ({ path: file }) => file.startsWith("app/") && file.endsWith(".tsx") && !isTest(file) && file !== FORMS_FILE,
    )
    .flatMap((source) => {
      const tree = parse(source);
      return callsIn(tree)
        .filter((call) => calledOn(tree, call)[1] === "useServerForm" && drawsValues(tree, call))
        .filter((call) => {
          const operation = operationOf(source, call);
          if ((operation ?? source.path) in proposes) return false;
          return !takesOpened(source, call) || (operation !== undefined && !edits.has(operation));
        })
        .map((call) => ({
          path: source.path,
          line: lineOf(tree, call),
          why: "its operation declares `edit` and the form takes `opened`, or list it with its reason",
        }));
    });
};

const drawsValues = (tree: ts.SourceFile, call: ts.CallExpression) =>
  /\b(?:defaultValue|stored)\b/.test(call.arguments[1]?.getText(tree) ?? "");

/** The intent of a form, or its id where that says it; undefined where neither is a literal of the file. */
function operationOf(source: SourceText, call: ts.CallExpression): string | undefined {
  const tree = parse(source);
  const said = /\bintent: "(\w+)"/.exec(call.arguments[1]?.getText(tree) ?? "")?.[1];
  const id = call.arguments[0]!;
  if (said !== undefined || ts.isStringLiteral(id)) return said ?? (id as ts.StringLiteral).text;
  return new RegExp(`const ${id.getText(tree)} = "(\\w+)"`).exec(source.text)?.[1];
}

/** Whether `opened` is taken out of the form, or the form is kept whole and passed on or read. */
function takesOpened(source: SourceText, call: ts.CallExpression): boolean {
  const { parent } = call;
  if (!ts.isVariableDeclaration(parent)) return false;
  if (ts.isObjectBindingPattern(parent.name))
    return parent.name.elements.some(({ name, propertyName }) => (propertyName ?? name).getText() === "opened");
  return new RegExp(`\\b(?:form=\\{${parent.name.getText()}\\}|${parent.name.getText()}\\.opened)`).test(source.text);
}
