/** What the operator calls service tokens. */
export interface TokenWord {
  readonly one: string;
  readonly many: string;
}

export const OWN_TOKEN_WORD: TokenWord = { one: 'service token', many: 'service tokens' };
