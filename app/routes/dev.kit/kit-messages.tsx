import { useState } from "react";
import { Button, type ButtonState, ButtonLink, IconButton } from "~/ui/forms/button";
import { Badge, Chip, FilterChip, StateText, StatusChip, Tag, type Toned } from "~/ui/lists/chip";
import { Dialog } from "~/ui/feedback/dialog";
import { Disclosure, Popover } from "~/ui/layout/disclosure";
import { Icon } from "~/ui/icons/icon";
import { iconNames } from "~/ui/icons/icon-names";
import { EmptyState } from "~/ui/feedback/empty-state";
import { FlashStack, Notice } from "~/ui/feedback/notice";
import { PageHead } from "~/ui/layout/page";
import { Progress } from "~/ui/feedback/progress";
import { Tabs } from "~/ui/layout/tabs";
import { KitBox } from "./kit-box";
import { kitTabs } from "./kit-header";

const statuses: readonly Toned[] = [
  { label: "Afventer visitering", tone: "new", icon: "awaits-triage" },
  { label: "Afventer overlæge", tone: "new", icon: "doctor" },
  { label: "Visiteret haster", tone: "urgent", icon: "urgent" },
  { label: "Visiteret", tone: "ready", icon: "check" },
  { label: "Visiteret til GA", tone: "ready", icon: "sleep" },
  { label: "Klar til indkaldelse", tone: "ready", icon: "call-up" },
  { label: "Afventer yderligere materiale", tone: "waiting", icon: "awaits-material" },
  { label: "Indkaldt, afventer opring", tone: "waiting", icon: "phone" },
  { label: "Indkaldt 2 gang, afventer", tone: "waiting", icon: "phone-again" },
  { label: "Afventer patienten ringer tilbage for tid", tone: "waiting", icon: "phone-return" },
  { label: "I behandling", tone: "treatment", icon: "in-treatment" },
  { label: "I behandling, skal kontaktes for ny tid", tone: "treatment", icon: "new-time" },
  { label: "SMS - aflyst tid", tone: "stopped", icon: "cancelled-time" },
  { label: "Ønsker ikke behandlingen", tone: "stopped", icon: "declined" },
  { label: "Har forsøgt at kontakte via alle kanaler uden held", tone: "stopped", icon: "phone-off" },
  { label: "TU-status", tone: "closed", icon: "tu" },
  { label: "Afsluttet", tone: "closed", icon: "closed" },
];

const deliveries: readonly Toned[] = [
  { label: "Sendt med succes", tone: "ready", icon: "sent" },
  { label: "I kø", tone: "closed", icon: "hourglass" },
  { label: "Uploaded til eboks - venter på resultat", tone: "closed", icon: "clock" },
  { label: "Fejl hemmelig adresse", tone: "waiting", icon: "failed" },
];

const states: readonly ButtonState[] = ["ready", "working", "success", "failure"];

export function KitMessages({ prefix }: { prefix: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <PageHead
        title="Oversigt"
        queue={
          <>
            <span>
              <b>12</b> <a href="#a">afventer visitering</a>, ældste 4 dage
            </span>
            <span>
              <b>3</b> <a href="#b">haster</a>, ældste 1 dag
            </span>
          </>
        }
        tools={<Popover label="Eksport">Værktøjer, der sjældent bruges.</Popover>}
      />
      <FlashStack
        messages={[
          { id: "1", kind: "success", title: "Status er gemt.", text: "Nr. 48224 er nu Visiteret haster." },
          {
            id: "2",
            kind: "error",
            title: "!!! SERVER ERROR !!!",
            text: "Dine ændringer er ikke gemt. Prøv igen om lidt.",
          },
        ]}
      />
      <KitBox title="Knapper">
        <div className="row">
          {states.map((state) => (
            <Button key={state} variant="primary" state={state}>
              GEM
            </Button>
          ))}
        </div>
        <div className="row">
          {states.map((state) => (
            <Button key={state} variant="primary" icon="send" state={state}>
              Send
            </Button>
          ))}
        </div>
        <div className="row">
          {states.map((state) => (
            <Button key={state} variant="plain" size="small" state={state}>
              GEM
            </Button>
          ))}
        </div>
        <div className="row">
          <Button variant="primary" size="large" iconAfter="next">
            Næste
          </Button>
          <ButtonLink to="#tilbage">Tilbage</ButtonLink>
          <Button variant="plain">Fravælg</Button>
          <Button variant="danger" icon="delete">
            Slet
          </Button>
          <Button variant="primary" disabled>
            Spærret
          </Button>
          <IconButton icon="edit" label="Ret" />
          <Button className="[box-shadow:0_0_0_2px_var(--focus),0_0_0_5px_var(--halo)]">Fokus</Button>
        </div>
      </KitBox>
      <KitBox title="Status og afsendelse">
        <div className="row">
          {statuses.map((status) => (
            <StatusChip key={status.label} status={status} />
          ))}
        </div>
        <div className="row">
          {deliveries.map((state) => (
            <StateText key={state.label} state={state} />
          ))}
        </div>
        <div className="row">
          <FilterChip label="Dato fra 01.08.2026" to="#uden-dato" />
          <FilterChip label="Klinik: Tandlægerne på Åen" to="#uden-klinik" />
          <Tag title="EDI 900123">EDI</Tag>
          <Badge label="beskeder">4</Badge>
          <Chip>Ord</Chip>
        </div>
      </KitBox>
      <KitBox title="Beskeder i siden">
        <Notice
          kind="warn"
          title="Dagens patienttider mangler."
          action={
            <Button size="small" icon="upload">
              Vælg CSV-fil
            </Button>
          }
        >
          De bruges til SMS-påmindelser.
        </Notice>
        <Notice title="Filtrene er nulstillet,">fordi linket ikke længere gælder.</Notice>
        <Notice kind="error" title="Ikke sendt.">
          Skriv en e-mail, og prøv igen.
        </Notice>
        <Notice kind="success">Adressen er hentet fra CPR-registret.</Notice>
        <Progress label="Overfører, 40 %" value={40} />
        <Progress label="Venter på nettet, 62 %" value={62} calm />
      </KitBox>
      <KitBox title="Tom">
        <EmptyState
          why="Ingen henvisninger passer til filtrene."
          action={
            <a className="inline-flex items-center min-h-11 table:min-h-6" href="#nulstil">
              Nulstil filtre
            </a>
          }
        />
      </KitBox>
      <KitBox title="Faner, folder og dialog">
        <Tabs
          label={`Dele ${prefix}`}
          tabs={[...kitTabs.slice(0, 4), { to: "#beskeder", label: "Beskeder", count: 2 }]}
        />
        <Disclosure title="Udskrivningsbreve" note="Ingen endnu">
          Her står brevene.
        </Disclosure>
        <Disclosure title="Log" note="9 hændelser" line open>
          Her står hændelserne.
        </Disclosure>
        <Button onClick={() => setOpen(true)} type="button">
          Åbn dialog
        </Button>
        <Dialog title="Afslut henvisning" open={open} onClose={() => setOpen(false)}>
          <p>Skal de vedhæftede filer slettes?</p>
          <div className="row mt-4">
            <Button variant="danger" type="button" onClick={() => setOpen(false)}>
              Slet filer
            </Button>
            <Button type="button" onClick={() => setOpen(false)}>
              Behold filer
            </Button>
          </div>
        </Dialog>
      </KitBox>
      <KitBox title="Ikoner">
        <ul className="row">
          {iconNames.map((name) => (
            <li key={name} className="text-micro text-ink2">
              <Icon name={name} size={24} className="mx-auto" />
              {name}
            </li>
          ))}
        </ul>
      </KitBox>
    </>
  );
}
