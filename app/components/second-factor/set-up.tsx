import type { ReactNode } from "react";
import { Button, buttonClass } from "~/ui/forms/button";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Icon } from "~/ui/icons/icon";
import { ActionForm, IntentButton, useServerForm } from "~/http/forms/action-form";
import { useActionResult, useFormErrors } from "~/http/forms/use-action-result";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { PasswordField, TextField } from "~/ui/forms/fields";

interface RecoveryCodesProps {
  codes: string[];
  userName: string;
  children: ReactNode;
}

export function RecoveryCodes({ codes, userName, children }: RecoveryCodesProps) {
  const hydrated = useHydrated();
  const text = `Gendannelseskoder for ${userName}\r\nHver virker én gang.\r\n\r\n${codes.join("\r\n")}\r\n`;
  return (
    <div className="stack-s" role="status">
      <p>
        Ti koder, hver virker én gang. <b>De vises kun nu.</b>
      </p>
      <ol className="list-decimal mb-0 py-3 pl-12 pr-4 border border-line2 rounded-card bg-raised tablet:[column-count:2] tabular-nums">
        {codes.map((code) => (
          <li key={code} className="py-1 font-semibold tracking-wide">
            {code}
          </li>
        ))}
      </ol>
      <div className="row print:hidden">
        {children}
        <a
          className={buttonClass()}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="gendannelseskoder.txt"
        >
          <Icon name="download" size={18} className="mr-2" />
          Hent
        </a>
        {hydrated && (
          <Button type="button" icon="print" onClick={() => window.print()}>
            Udskriv
          </Button>
        )}
      </div>
    </div>
  );
}

const QUIET = 4;

/** Dark on white in every theme, because many phones read no other QR code. */
const QrPicture = ({ qr: { size, path }, label }: { qr: { size: number; path: string }; label: string }) => (
  <svg
    viewBox={`${-QUIET} ${-QUIET} ${size + 2 * QUIET} ${size + 2 * QUIET}`}
    width="200"
    height="200"
    role="img"
    aria-label={label}
    shapeRendering="crispEdges"
    className="block border border-line2 rounded-card"
  >
    <path fill="#fff" d={`M${-QUIET} ${-QUIET}h${size + 2 * QUIET}v${size + 2 * QUIET}h-${size + 2 * QUIET}z`} />
    <path fill="#000" d={path} />
  </svg>
);

interface SetUpProps {
  userName: string;
  setUp: { secret: string; qr: { size: number; path: string } } | null;
  onTo?: string;
  begin: string;
  isOn?: boolean;
}

const OnTo = ({ onTo }: Pick<SetUpProps, "onTo">) =>
  onTo === undefined ? null : <input type="hidden" name="onTo" value={onTo} />;

export function SetUp(props: SetUpProps) {
  const { setUp, userName, onTo } = props;
  const codes = useActionResult("checkSecondFactor")?.data?.codes as string[] | undefined;
  if (codes) return <SaveCodes codes={codes} userName={userName} onTo={onTo} />;
  return setUp === null ? <Begin {...props} /> : <Check {...props} setUp={setUp} />;
}

function Begin({ begin, onTo, isOn = false }: SetUpProps) {
  return (
    <PasswordForm intent="beginSecondFactor" button={begin} failed="Totrinslogin er ikke begyndt." asksCode={isOn}>
      <OnTo onTo={onTo} />
    </PasswordForm>
  );
}

interface PasswordFormProps {
  intent: string;
  /** In a list, which row's form it is. */
  place?: string;
  button: string;
  failed: string;
  isDanger?: boolean;
  asksCode?: boolean;
  children?: ReactNode;
}

export function PasswordForm({
  intent,
  place = intent,
  button,
  failed,
  isDanger,
  asksCode = false,
  children,
}: PasswordFormProps) {
  const { form, fields, summary } = useServerForm<{ currentPassword: string; code: string }>(place, {
    intent,
    labels: { currentPassword: "Adgangskode", code: "Engangskode" },
  });
  return (
    <ActionForm operation={intent} place={place} preventScrollReset of={form} className="stack-s">
      {children}
      <ErrorSummary {...summary(failed)} />
      <PasswordField
        field={fields.currentPassword}
        label="Din adgangskode"
        autoComplete="current-password"
        required
        width={20}
      />
      {asksCode && (
        <TextField
          field={fields.code}
          label="Engangskode"
          hint="De seks cifre, som appen viser nu, eller en gendannelseskode."
          autoComplete="one-time-code"
          required
          width={10}
        />
      )}
      <div className="row">
        <IntentButton value={intent} formId={place} variant={isDanger ? "danger" : "primary"}>
          {button}
        </IntentButton>
      </div>
    </ActionForm>
  );
}

const inGroups = (secret: string) => secret.replace(/(.{4})(?=.)/g, "$1 ");

function Check({ setUp, onTo }: SetUpProps & { setUp: NonNullable<SetUpProps["setUp"]> }) {
  const { form, fields, summary } = useServerForm<{ code: string }>("checkSecondFactor", {
    labels: { code: "Engangskode" },
  });
  return (
    <div className="tablet:grid tablet:grid-cols-[200px_minmax(0,1fr)] tablet:grid-gap-6">
      <div>
        <h3 className="text-body mb-2">Scan koden</h3>
        <QrPicture qr={setUp.qr} label="QR-kode til din kode-app" />
      </div>
      <ActionForm operation="checkSecondFactor" preventScrollReset of={form} className="stack-s mt-4 tablet:mt-0">
        <OnTo onTo={onTo} />
        <p className="m-0">
          Kan du ikke scanne? Skriv nøglen i appen:{" "}
          <b id="totp-key" className="break-anywhere tracking-wide">
            {inGroups(setUp.secret)}
          </b>
        </p>
        <ErrorSummary {...summary("Koden passer ikke.")} />
        <TextField
          field={fields.code}
          label="Engangskode"
          hint="De seks cifre, som appen viser nu."
          inputMode="numeric"
          autoComplete="one-time-code"
          width={10}
        />
        <div className="row">
          <IntentButton value="checkSecondFactor" variant="primary">
            Videre
          </IntentButton>
        </div>
      </ActionForm>
    </div>
  );
}

function SaveCodes({ codes, userName, onTo }: { codes: string[]; userName: string; onTo?: string }) {
  const errors = useFormErrors("activateSecondFactor");
  return (
    <>
      <h3 className="text-body mb-2">Gem dine gendannelseskoder</h3>
      <RecoveryCodes codes={codes} userName={userName}>
        <ActionForm operation="activateSecondFactor" showsErrors preventScrollReset>
          <OnTo onTo={onTo} />
          <IntentButton value="activateSecondFactor" variant="primary">
            Jeg har gemt koderne
          </IntentButton>
        </ActionForm>
      </RecoveryCodes>
      {errors.length > 0 && (
        <p role="alert" className="text-err">
          {errors.join(" ")}
        </p>
      )}
    </>
  );
}
