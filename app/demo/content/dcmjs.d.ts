/** dcmjs has no types; these cover the part that demo pictures use. */
declare module "dcmjs" {
  interface DicomElement {
    vr: string;
    Value: unknown[];
  }
  class DicomDict {
    constructor(meta: Record<string, DicomElement>);
    dict: Record<string, DicomElement>;
    write(): ArrayBuffer;
  }
  const dcmjs: { data: { DicomDict: typeof DicomDict } };
  export default dcmjs;
}
