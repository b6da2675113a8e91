import { capitalTokens, oneToken, tokenWord } from '../../brand/token-word';

export const units = {
  help: 'What the units mean',
  title: 'Units',
  tokens: tokenWord,
  unit: 'Unit',
  exactly: 'exactly',
  hint: 'Select to copy the amount and to see what the units mean.',
  copyDollars: 'Copy dollars',
  copyTokens: `Copy ${tokenWord}`,
  dollars: {
    name: 'US dollars',
    meaning: 'What requests cost. Sums are exact; they are shown rounded to cents, and below a cent to two digits. The charge of a single request is shown in full.',
  },
  ofAccount: {
    name: capitalTokens,
    worth: (rate: string) => `1 ${oneToken} is ${rate}.`,
    meaning: 'The currency of the account: balance, limits and every booking, to six decimal places. A coin marks them.',
  },
  ofModels: {
    name: 'Input tokens and output tokens',
    meaning: 'The pieces of text that a model reads and writes. They are not money: a model’s price is per million of them.',
  },
  prices: 'Prices of models',
} as const;
