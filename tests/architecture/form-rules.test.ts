import { describeRule } from "./describe-rule";
import * as rules from "./form-rules";

describeRule("a form that is sent by POST carries its page's ticket", rules.formsCarryTickets, {
  bad: {
    "app/routes/a/route.tsx#form": `<form method="post">`,
    "app/routes/a/route.tsx#Form": `<Form\n  className="row"\n  method="post"\n>`,
    "app/components/a/b.tsx": `<fetcher.Form method="post" preventScrollReset>`,
  },
  good: {
    "app/routes/a/route.tsx#get": `<Form method="get" action={to}><ActionForm operation="save">`,
    "app/components/a/b.tsx": `<fetcher.Form method="post"><TicketFields operation="save" ticket={sealed} />`,
    "app/routes/login/route.tsx": `<form method="post">`,
  },
});

describeRule("the ticket alone says what a form is about", rules.ticketsSayTheSubject, {
  bad: {
    "app/routes/a/route.tsx#id": `<input type="hidden" name="referralId" value={id} />`,
    "app/routes/a/route.tsx#version": `<input type="hidden" name="seenVersion" value={version} />`,
    "app/routes/a/route.tsx#key": `<input type="hidden" name="formKey" value={key} />`,
  },
  good: { "app/routes/a/route.tsx": `<input type="hidden" name="to" value={here} />` },
});

describeRule("a form in a list has a place of its own", rules.rowsFormsHavePlaces, {
  bad: {
    "app/routes/a/route.tsx#row": `const List = ({ rows }) => rows.map((row) => <ActionForm key={row.id} operation="mark" />);`,
    "app/routes/a/route.tsx#component": `const Row = () => <ActionForm operation="mark" />;\nconst List = ({ rows }) => <ul>{rows.map(({ id }) => <Row key={id} />)}</ul>;`,
    "app/routes/a/columns.tsx": `function Mark() { return <ActionForm operation="mark" />; }\nconst columns = [{ label: "Mark", cell: (row) => <Mark row={row} /> }];`,
    "app/routes/a/fields.tsx": `const List = ({ rows }) => rows.map((row) => <form method="post"><TicketFields operation="mark" /></form>);`,
  },
  good: {
    "app/routes/a/route.tsx#row": `const List = ({ rows }) => rows.map(({ id }) => <ActionForm operation="mark" place={\`mark-${"${id}"}\`} />);`,
    "app/routes/a/one.tsx": `const Form = ({ rows }) => <ActionForm operation="save">{rows.map(({ id }) => <Row key={id} />)}</ActionForm>;`,
    "app/components/a/b.tsx": `const List = ({ rows }) => rows.map((row) => <fetcher.Form method="post"><TicketFields operation="mark" /></fetcher.Form>);`,
  },
});

describeRule("no button puts a form's ticket into the address", rules.ticketsStayOutOfAddresses, {
  bad: { "app/routes/a/route.tsx": `<Button formMethod="get" formAction={to}>` },
  good: { "app/routes/a/route.tsx": `<Form method="get" action={to}><Button>` },
});

describeRule("a form that draws stored values is merged with them", rules.storedValuesAreMerged, {
  bad: {
    "app/routes/a/route.tsx#operation": `const { form, opened } = useServerForm("save", { defaultValue: row });`,
    "app/routes/a/route.tsx#opened": `const { form } = useServerForm("writeMessages", { defaultValue: row });`,
    "app/routes/a/route.tsx#dropped": `const own = useServerForm(formId, { stored: row });`,
  },
  good: {
    "app/routes/a/route.tsx#new": `const { form } = useServerForm("createClinic", { defaultValue: { status: "1" } });`,
    "app/routes/a/route.tsx#empty": `const { form } = useServerForm("save", { labels });`,
    "app/routes/a/route.tsx#row": `const { form, opened } = useServerForm(formId, { defaultValue: row });`,
    "app/routes/a/route.tsx#whole": `const own = useServerForm(formId, { defaultValue: row }); <EditForm form={own} />`,
  },
});
