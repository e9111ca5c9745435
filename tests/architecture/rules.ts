/** What may know what (docs/architecture.md), as functions over source text: each returns its breaches. */
export * from "./database-rules";
export * from "./import-rules";
export * from "./naming-rules";
export * from "./operation-rules";
export * from "./right-rules";
