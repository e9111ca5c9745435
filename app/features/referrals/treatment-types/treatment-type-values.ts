interface ShownTreatmentType {
  name: string;
  externalCodes: string;
  recommendationLink: string | null;
}

/** Values of the controls of a treatment type's form. */
export const treatmentTypeValues = ({ name, externalCodes, recommendationLink }: ShownTreatmentType) => ({
  name,
  externalCodes,
  recommendationLink: recommendationLink ?? "",
});
