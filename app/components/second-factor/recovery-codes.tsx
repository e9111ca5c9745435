import type { ReactNode } from "react";
import { Button, buttonClass } from "~/ui/forms/button";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Icon } from "~/ui/icons/icon";

interface RecoveryCodesProps {
  codes: string[];
  userName: string;
  children: ReactNode;
}

/** Shows the ten recovery codes once, to write down, download or print. */
export function RecoveryCodes({ codes, userName, children }: RecoveryCodesProps) {
  const hydrated = useHydrated();
  const text = `Gendannelseskoder for ${userName}\r\nHver virker én gang.\r\n\r\n${codes.join("\r\n")}\r\n`;
  return (
    <div className="stack-s" role="status">
      <p>
        Ti koder, hver virker én gang. <b>De vises kun nu.</b>
      </p>
      <ol className="list-decimal m-0 py-3 pl-12 pr-4 border border-line2 rounded-card bg-raised tablet:[column-count:2] tabular-nums">
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
