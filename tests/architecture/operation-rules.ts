import ts from "typescript";
import {
  type Breach,
  type Rule,
  isCode,
  isTest,
  isRoute,
  isTypeImport,
  namesImportedFrom,
  resolve,
  lineOf,
  parse,
} from "./source-text";

export const operationsSayWhoMay: Rule = (sources) =>
  sources
    .filter(({ path: file }) => isCode(file) && !isTest(file) && file.startsWith("app/"))
    .flatMap((source) => {
      const tree = parse(source);
      const kinds = namesImportedFrom(
        tree,
        source.path,
        (target) => target === "app/access/operation.server" || target === "app/lists/list-page.server",
        ["read", "lookUp", "change", "external", "defineListPage"],
      );
      const breaches: Breach[] = [];
      const visit = (node: ts.Node) => {
        if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && kinds.has(node.expression.text)) {
          const [declaration] = node.arguments;
          const says =
            declaration !== undefined &&
            ts.isObjectLiteralExpression(declaration) &&
            declaration.properties.some(
              (property) => property.name !== undefined && property.name.getText(tree) === "permission",
            );
          if (!says)
            breaches.push({
              path: source.path,
              line: lineOf(tree, node),
              why: `${node.expression.text}() declares no permission`,
            });
        }
        ts.forEachChild(node, visit);
      };
      if (kinds.size > 0) visit(tree);
      return breaches;
    });

const PATIENT_COLUMNS = ["cprColumns", "updatePatientPart"];

export const patientChangesAreFollowed: Rule = (sources) =>
  sources
    .filter(({ path: file }) => isCode(file) && !isTest(file) && file.startsWith("app/"))
    .flatMap((source) => {
      const tree = parse(source);
      const from = (file: string, names: readonly string[]) =>
        namesImportedFrom(tree, source.path, (target) => target === `app/features/referrals/${file}.server`, [
          ...names,
        ]);
      const writes = from("store/referral-store", PATIENT_COLUMNS).size > 0;
      return writes && from("details/change-patient", ["changePatient"]).size === 0
        ? [{ path: source.path, line: 1, why: "writes a patient's columns without changePatient" }]
        : [];
    });

const runners = {
  page: "runPage",
  command: "runCommand",
  download: "runDownload",
  api: "runApi",
  receive: "runReceive",
  externalSignIn: "runExternalSignIn",
  linkPage: "runLinkPage",
  linkCommand: "runLinkCommand",
  linkDownload: "runLinkDownload",
};

export const routesCallARunner: Rule = (sources) =>
  sources
    .filter(({ path: file }) => isRoute(file) && isCode(file) && !isTest(file))
    .flatMap((source) => {
      const tree = parse(source);
      const known = namesImportedFrom(
        tree,
        source.path,
        (target) =>
          /^app\/http\/(runners\/(page|command|download|receive|patient-link|identity-provider)|api\/api)\.server$/.test(
            target,
          ),
        Object.values(runners),
      );
      return tree.statements
        .flatMap((statement) => loadersAndActions(tree, statement))
        .flatMap(({ name, node, arrow }) => {
          if (arrow === undefined)
            return [
              { path: source.path, line: lineOf(tree, node), why: `${name} is not an arrow function of this file` },
            ];
          return callsOneOf(arrow, known)
            ? []
            : [
                {
                  path: source.path,
                  line: lineOf(tree, node),
                  why: `${name} calls none of ${Object.values(runners).join(", ")}`,
                },
              ];
        });
    });

function loadersAndActions(
  tree: ts.SourceFile,
  statement: ts.Statement,
): { name: string; node: ts.Node; arrow?: ts.ArrowFunction }[] {
  const isOne = (name: string) => name === "loader" || name === "action";
  if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
    return statement.exportClause.elements
      .filter((element) => isOne(element.name.text))
      .map((element) => ({ name: element.name.text, node: element }));
  }
  const exported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
  if (!exported) return [];
  if (ts.isFunctionDeclaration(statement) && statement.name && isOne(statement.name.text))
    return [{ name: statement.name.text, node: statement }];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations
    .filter((declaration) => isOne(declaration.name.getText(tree)))
    .map((declaration) => {
      let value = declaration.initializer;
      while (
        value &&
        (ts.isSatisfiesExpression(value) || ts.isAsExpression(value) || ts.isParenthesizedExpression(value))
      )
        value = value.expression;
      return {
        name: declaration.name.getText(tree),
        node: declaration,
        arrow: value && ts.isArrowFunction(value) ? value : undefined,
      };
    });
}

function callsOneOf(node: ts.Node, names: Set<string>): boolean {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && names.has(node.expression.text)) return true;
  return ts.forEachChild(node, (child) => callsOneOf(child, names)) ?? false;
}

const wordModules =
  /^app\/(text\/(dates|numbers)|features\/referrals\/(model\/(status|referral)|details\/describe-referral)|files\/file-rules|lists\/filters)$/;
const isWordFunction = (name: string) => /^(show|describe|present)[A-Z]|[lL]abel(Of)?$|^namedStatuses$/.test(name);
/** Documents and mails are written by their operation. */
const writesDocuments = /-mail\.server\.ts$|-pdf(-[a-z]+)*\.server\.ts$/;
const writesSentences = new Map([
  ["app/features/appointments/appointment-csv.server.ts", "the refusal of a line is kept as a sentence"],
  ["app/features/exports/operations.server.ts", "the CSV file leaves the house"],
  ["app/features/statistics/operations.server.ts", "the CSV file leaves the house"],
  ["app/features/patient-messages/queue-message.server.ts", "the words of a message leave the house"],
  ["app/features/parking/operations.server.ts", "the words of a message leave the house"],
  ["app/features/freed-times/offer-time.server.ts", "the words of a message and of the log"],
  ["app/features/referrals/details/same-person.server.ts", "a refusal says the day of birth"],
  ["app/features/referrals/details/treatment-plan-lines.server.ts", "the log keeps sentences"],
  ["app/features/referrals/images/change-radiographs.server.ts", "the log keeps sentences"],
  ["app/features/referrals/wizard/send-referral.server.ts", "the log keeps sentences"],
  ["app/features/referrals/status/set-status.server.ts", "a refusal and a confirmation say the status"],
  ["app/features/referrals/status/status-mails.server.ts", "a mail says the status"],
  [
    "app/features/referrals/status/set-statuses.server.ts",
    "a refusal and a confirmation say the number and the status",
  ],
]);

/** Operations return values for pages and API; a page's `present.ts` turns them into words. */
export const operationsAnswerValues: Rule = (sources) =>
  sources
    .filter(
      ({ path: file }) =>
        /^app\/(features|lists|access|files)\/.+\.server\.ts$/.test(file) &&
        !isTest(file) &&
        !writesDocuments.test(file) &&
        !writesSentences.has(file),
    )
    .flatMap((source) => {
      const tree = parse(source);
      return tree.statements.filter(ts.isImportDeclaration).flatMap((statement) => {
        const bindings = statement.importClause?.namedBindings;
        if (!ts.isStringLiteral(statement.moduleSpecifier) || isTypeImport(statement) || !bindings) return [];
        if (!wordModules.test(resolve(source.path, statement.moduleSpecifier.text))) return [];
        const names = ts.isNamedImports(bindings)
          ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text).filter(isWordFunction)
          : [bindings.name.text];
        return names.map((name) => ({
          path: source.path,
          line: lineOf(tree, statement),
          why: `${name} makes words: answer the value, and call it in the route's present.ts`,
        }));
      });
    });
