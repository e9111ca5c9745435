export const WhereFilesGo = () => (
  <p className="meta">Bemærk filerne gemmes i appen Arkiver på iPhone, og appen Downloads på android.</p>
);

/** Shown when a link's files have been deleted. `what` names what the patient may ask for. */
export const NoFiles = ({ email, what }: { email: string; what: "røntgen" | "brevet" }) => (
  <p role="status">
    Filer er ikke længere tilgængelige. Kontakt venligst vores support afdeling på mail:{" "}
    <a href={`mailto:${email}`}>{email}</a>, hvis du ønsker at få {what} tilsendt igen.
  </p>
);
