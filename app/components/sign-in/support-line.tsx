import { Verbatim } from "~/ui/layout/translation";

export function SupportLine({ email, phone }: { email: string; phone: string }) {
  return (
    <p className="meta">
      Hjælp:{" "}
      <Verbatim>
        <a href={`mailto:${email}`}>{email}</a> · {phone.replace(/ /g, "\u00a0")}
      </Verbatim>
    </p>
  );
}
