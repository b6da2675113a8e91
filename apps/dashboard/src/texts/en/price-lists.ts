import { tokenWord } from '../../brand/token-word';

export const priceLists = {
  title: 'Price lists',
  help: `What accounts with a list of their own pay, now and later, per million tokens in US dollars and, in parentheses, in ${tokenWord}. Lists are kept in the catalogue file.`,
  toStandard: 'Standard prices and their announced changes',
  none: 'No price lists',
  noneHelp: 'All accounts pay the standard prices. A price list in the catalogue file gives some accounts others.',
  fromStart: 'From the start',
  from: (day: string) => `From ${day} (UTC)`,
  factor: (factor: string) => (factor === '1' ? 'Standard prices' : `Standard prices × ${factor}`),
  ownRates: 'Models with prices of their own',
  entriesOf: (list: string) => `Prices of ${list}`,
  label: 'Price list',
  standard: 'Standard prices',
  change: 'Change price list',
  changeTitle: (who: string) => `Change the price list of ${who}`,
  changeHelp: 'The new prices apply to requests that begin from now on.',
  changed: (list: string) => `The price list is ${list} now.`,
  notInCatalogue: 'The price list of this account is no longer in the catalogue, so standard prices are charged.',
} as const;
