export const statements = {
  title: 'Statements',
  help: 'What was booked in each month (UTC), from the opening to the closing balance. A statement is made an hour after the end of its month and never changes.',
  notAnInvoice: 'Statements are not tax invoices.',
  list: 'Monthly statements',
  columns: { number: 'Number', month: 'Month', opening: 'Opening balance', closing: 'Closing balance', made: 'Made', download: 'Download' },
  formats: { pdf: 'PDF', csv: 'CSV', json: 'JSON' },
  download: (number: number, format: string) => `Download statement ${number} as ${format}`,
  numbered: (number: number) => `No. ${number}`,
  openingOf: 'Opening',
  closingOf: 'Closing',
  none: 'No statement yet',
  noneHelp: 'The first one is made an hour after the end of the first month in which something is booked.',
} as const;
