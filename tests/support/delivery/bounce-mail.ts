/** A bounce as Postfix writes it, with the headers a pipe adds. */
export const bounceMail = (to: string, report: string, head = `X-Original-To: ${to}\nDelivered-To: ${to}`) =>
  `${head}
From: MAILER-DAEMON@mx.eksempel.dk (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="A1B2.C3/mx.eksempel.dk"

This is a MIME-encapsulated message.

--A1B2.C3/mx.eksempel.dk
Content-Description: Notification

Action: failed is only said here.

--A1B2.C3/mx.eksempel.dk
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.eksempel.dk
Arrival-Date: Tue,  1 Dec 2026 10:00:00 +0100 (CET)

Final-Recipient: rfc822; soeren@eksempel.dk
${report}

--A1B2.C3/mx.eksempel.dk
Content-Type: message/rfc822

Subject: Indkaldelse

--A1B2.C3/mx.eksempel.dk--
`;
