import { Link } from "@remix-run/react";
import { channelLabels, type ChannelName } from "~/features/delivery/delivery-outcome";
import type { TemplateKind } from "~/features/delivery/templates/default-texts";
import { templatesByReceiver, templateTitles } from "~/features/delivery/templates/template-titles";
import { paths } from "~/paths";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { Disclosure } from "~/ui/layout/disclosure";

export const channelIcons: Readonly<Record<ChannelName, IconName>> = {
  email: "email",
  sms: "sms",
  eboks: "eboks",
  print: "letter",
  edi: "external",
  archive: "radiograph",
};

interface Chosen {
  kind: TemplateKind;
  channel: ChannelName;
}

export function TemplateChoice(chosen: Chosen) {
  return (
    <>
      <nav aria-label="Beskeder" className="hidden desk:block py-3 border-r border-line">
        <Kinds {...chosen} />
      </nav>
      <nav aria-label="Vælg besked" className="desk:hidden px-4 border-b border-line">
        <Disclosure
          key={`${chosen.kind} ${chosen.channel}`}
          title={`${templateTitles[chosen.kind].title}, ${channelLabels[chosen.channel]}`}
          note="Vælg en anden"
        >
          <Kinds {...chosen} />
        </Disclosure>
      </nav>
    </>
  );
}

function Kinds({ kind: chosenKind, channel: chosenChannel }: Chosen) {
  return (
    <>
      {templatesByReceiver.map(({ label, kinds }) => (
        <section key={label} aria-label={label}>
          <h2 className="px-4 py-1.5 text-label text-ink2">{label}</h2>
          <ul>
            {kinds.map(({ kind, title, channels }) => (
              <li
                key={kind}
                className={`flex items-center pl-[13px] pr-2 border-l-[3px] ${kind === chosenKind ? "border-primary bg-tint" : "border-transparent"}`}
              >
                <Link
                  to={paths.messageText(kind, channels.includes(chosenChannel) ? chosenChannel : channels[0]!)}
                  aria-current={kind === chosenKind ? "page" : undefined}
                  className="flex flex-1 items-center min-h-11 table:min-h-9 text-ink no-underline current:font-semibold"
                >
                  {title}
                </Link>
                {channels.map((channel) => (
                  <Link
                    key={channel}
                    to={paths.messageText(kind, channel)}
                    aria-label={`${title}, ${channelLabels[channel]}`}
                    title={channelLabels[channel]}
                    className="flex flex-none items-center justify-center w-9 min-h-11 table:w-7 table:min-h-9 rounded-sm text-ink2"
                  >
                    <Icon name={channelIcons[channel]} size={18} />
                  </Link>
                ))}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
