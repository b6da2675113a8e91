import { locale } from '#locale';
import { brand, OWN_TOKEN_WORD } from './brand';

const word = brand.tokenWord.many === OWN_TOKEN_WORD.many ? locale.serviceTokens : brand.tokenWord;

/** What the operator calls one service token, and several. */
export const { one: oneToken, many: tokenWord } = word;
export const capitalTokens = tokenWord.charAt(0).toUpperCase() + tokenWord.slice(1);
