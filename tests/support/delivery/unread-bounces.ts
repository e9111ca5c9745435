/** Bounces without a machine-readable part, as different servers write them; `to` is their recipient. */
const daemons: Readonly<Record<string, { head: string; body: string }>> = {
  "Exchange 2003": {
    head: 'From: System Administrator <postmaster@exchange.eksempel.dk>\nSubject: Undeliverable: Indkaldelse\nMIME-Version: 1.0\nContent-Type: text/plain; charset="iso-8859-1"\nX-MS-Embedded-Report:',
    body: "Your message\n\n  Subject: Indkaldelse\n\ndid not reach the following recipient(s):\n\nsoeren@eksempel.dk on Tue, 1 Dec 2026 10:00:02 +0100\n    The e-mail account does not exist at the organization this message was sent to.\n    <exchange.eksempel.dk #5.1.1>",
  },
  Exim: {
    head: "X-Failed-Recipients: soeren@eksempel.dk\nAuto-Submitted: auto-replied\nFrom: Mail Delivery System <Mailer-Daemon@mx.eksempel.dk>\nSubject: Mail delivery failed: returning message to sender",
    body: "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  soeren@eksempel.dk\n    SMTP error from remote mail server after RCPT TO:<soeren@eksempel.dk>:\n    550 5.1.1 User unknown",
  },
  "old Gmail": {
    head: "X-Failed-Recipients: soeren@eksempel.dk\nAuto-Submitted: auto-replied\nFrom: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Failure)\nContent-Type: text/plain; charset=ISO-8859-1\nContent-Transfer-Encoding: quoted-printable",
    body: "Delivery to the following recipient failed permanently:\n\n     soeren@eksempel.dk\n\nTechnical details of permanent failure:=20\nThe email account that you tried to reach does not exist.",
  },
  qmail: {
    head: "From: MAILER-DAEMON@qmail.eksempel.dk\nSubject: failure notice",
    body: "Hi. This is the qmail-send program at qmail.eksempel.dk.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<soeren@eksempel.dk>:\nSorry, no mailbox here by that name. (#5.1.1)",
  },
  OpenSMTPD: {
    head: "Subject: Delivery status notification: error\nFrom: Mailer Daemon <MAILER-DAEMON@smtpd.eksempel.dk>",
    body: "    Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY to this email.\n\n    An error has occurred while attempting to deliver a message for\n    the following list of recipients:\n\nsoeren@eksempel.dk: 550 Invalid recipient",
  },
  WorkMail: {
    head: 'From: postmaster@eu-west-1.awsapps.com\nSubject: Undeliverable: Indkaldelse\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="w"',
    body: "--w\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\nPHA+WW91ciBtZXNzYWdlIGNvdWxkIG5vdCBiZSBkZWxpdmVyZWQuPC9wPg==\n--w--",
  },
  Notes: {
    head: "From: Postmaster <postmaster@notes.eksempel.dk>\nSubject: DELIVERY FAILURE: User soeren not listed in Domino Directory\nContent-Type: text/plain; charset=us-ascii",
    body: "Your message\n\n  Subject: Indkaldelse\n\nwas not delivered to:\n\n  soeren@eksempel.dk\n\nbecause:\n\n  User soeren not listed in Domino Directory",
  },
  Yahoo: {
    head: "From: MAILER-DAEMON@yahoo.com\nSubject: Failure Notice\nContent-Type: text/plain; charset=us-ascii",
    body: "Sorry, we were unable to deliver your message to the following address.\n\n<soeren@eksempel.dk>:\n554: delivery error: dd This user doesn't have an account [0]",
  },
  "mail.ru": {
    head: "From: mailer-daemon@corp.mail.ru\nSubject: Mail delivery failed: returning message to sender\nContent-Type: text/plain; charset=utf-8",
    body: "This message was created automatically by mail delivery software.\n\nsoeren@eksempel.dk\n    invalid mailbox. User soeren@eksempel.dk not found",
  },
  GMX: {
    head: "From: GMX Mailer Daemon <mailer-daemon@gmx.net>\nSubject: Mail delivery failed: returning message to sender\nContent-Type: text/plain; charset=utf-8",
    body: "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of\nits recipients.\n\nsoeren@eksempel.dk:\nRequested action not taken: mailbox unavailable",
  },
};

export const unreadBounces = (to: string) =>
  Object.entries(daemons).map(([server, { head, body }]) => ({
    server,
    mail: `Return-Path: <>\nX-Original-To: ${to}\nTo: ${to}\n${head}\n\n${body}\n`,
  }));

/** Mails to a bounce address that report no failure. */
export const harmlessMails = (to: string) =>
  [
    "From: Mail Delivery System <Mailer-Daemon@mx.eksempel.dk>\nAuto-Submitted: auto-replied\nSubject: Warning: message 1abc delayed 24 hours",
    "From: mailer-daemon@googlemail.com\nSubject: Delivery Status Notification (Delay)",
    "From: soeren@eksempel.dk\nAuto-Submitted: auto-replied\nSubject: Re: Indkaldelse",
    "From: soeren@eksempel.dk\nSubject: Automatisk svar: Indkaldelse",
    "From: soeren@eksempel.dk\nPrecedence: auto_reply\nSubject: Tak for din mail",
    'From: staff@hotmail.com\nSubject: complaint about message\nContent-Type: multipart/report; report-type=feedback-report; boundary="f"\n\n--f\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n--f--',
  ].map((mail) => `X-Original-To: ${to}\n${mail}\n\nHej\n`);
