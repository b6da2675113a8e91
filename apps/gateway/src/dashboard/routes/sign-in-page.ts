/** Explains a failed sign-in, generically for codes without a text. */
export function signInPage(refused: string): string {
  return `/dashboard/sign-in?refused=${refused}`;
}
