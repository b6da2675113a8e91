/** Price lists of accounts. */
export const priceLists = {
  label: 'Price list',
  standard: 'Standard prices',
  change: 'Change price list',
  changeTitle: (who: string) => `Change the price list of ${who}`,
  changeHelp: 'The new prices apply to requests that begin from now on.',
  changed: (list: string) => `The price list is ${list} now.`,
  notInCatalogue: 'The price list of this account is no longer in the catalogue, so standard prices are charged.',
} as const;
