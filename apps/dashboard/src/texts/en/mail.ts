import { counted } from '../../format/count';

export const mail = {
  title: 'Mail',
  help: 'Outgoing messages, without their text. Addresses and subjects are erased once a message is delivered or given up.',
  files: 'No mail server is configured: messages are written to files on the gateway’s machine.',
  list: 'Outgoing mail',
  columns: { to: 'To', subject: 'Subject', state: 'Status', tries: 'Tries', error: 'Last error', stored: 'Stored', next: 'Next try or end' },
  states: { waiting: 'Waiting', delivered: 'Delivered', 'given-up': 'Given up' } as Readonly<Record<string, string>>,
  erased: 'Erased',
  tries: (count: number) => counted(count, 'try', 'tries'),
  none: 'No mail sent yet',
  noneHelp: 'A test message shows whether mail arrives.',
  test: 'Send test mail',
  to: 'To',
  toHelp: (own: string) => `Leave it empty to send it to ${own}.`,
  sent: (to: string) => `A test message to ${to} is on its way. The list shows whether it is delivered.`,
} as const;
