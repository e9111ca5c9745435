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

describeRule("a row's form has a place of its own", rules.rowsFormsHavePlaces, {
  bad: {
    "app/routes/a/route.tsx": `<ActionForm operation="mark" item={\`batchId:${"${id}"}\`} action={here}>`,
  },
  good: {
    "app/routes/a/route.tsx": `<ActionForm operation="mark" item={of} place={\`mark-${"${id}"}\`}>`,
    "app/routes/a/shown.tsx": `<ActionForm operation="mark" item={of} showsErrors>`,
    "app/routes/a/one.tsx": `<ActionForm operation="save">`,
  },
});

describeRule("no button puts a form's ticket into the address", rules.ticketsStayOutOfAddresses, {
  bad: { "app/routes/a/route.tsx": `<Button formMethod="get" formAction={to}>` },
  good: { "app/routes/a/route.tsx": `<Form method="get" action={to}><Button>` },
});
