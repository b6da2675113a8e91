import type { StandingActName } from './open-acts';

export type MoneyAct = 'credit' | 'refund' | 'correct';

export type OpenAct =
  | { readonly name: MoneyAct; readonly requestId?: string }
  | { readonly name: 'plan' | 'prices' | 'rename' | 'address' }
  | { readonly name: StandingActName };
