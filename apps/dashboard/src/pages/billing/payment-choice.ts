import type { Reply, RequestBody } from '../../api/call';
import { typedAmount } from '../../format/amount';

type Offer = Reply<'readCreditOffer'>;

export interface CreditForm {
  /** Id of a package; `custom` for an amount; empty for none. */
  readonly choice: string;
  readonly amount: string;
}

export const CUSTOM = 'custom';
const PRICE = /^\d{1,12}(\.\d{1,4})?$/;

type ChoiceFault = 'nothing-chosen' | 'no-amount' | 'out-of-range';

/** The price in ten-thousandths, which is exact: prices have at most four decimal places. */
function tenThousandths(price: string): bigint {
  const [whole = '0', places = ''] = price.split('.');
  return BigInt(whole + places.padEnd(4, '0'));
}

/** The typed price with a decimal point; `null` if it is not a price. Accepts the number format of the page's language. */
export function typedPrice(text: string, of?: Parameters<typeof typedAmount>[1]): string | null {
  const price = typedAmount(text, of);
  return price !== null && PRICE.test(price) ? price : null;
}

/** What is wrong with the choice; `null` for a valid one. The gateway checks the currency's decimal places. */
export function choiceFault({ choice, amount }: CreditForm, { custom }: Pick<Offer, 'custom'>): ChoiceFault | null {
  if (choice === '') return 'nothing-chosen';
  if (choice !== CUSTOM) return null;
  const price = typedPrice(amount);
  if (price === null) return 'no-amount';
  const value = tenThousandths(price);
  return custom !== null && (value < tenThousandths(custom.min) || value > tenThousandths(custom.max)) ? 'out-of-range' : null;
}

export function orderOf({ choice, amount }: CreditForm): RequestBody<'startPayment'> {
  return choice === CUSTOM ? { amount: typedPrice(amount) ?? amount.trim() } : { package: choice };
}
