/** Service tokens of every credit: a few requests' worth, so that the account that gets them runs out again and again. */
export const CREDIT = '3';
