/** Path of the page that explains a failed sign-in; a code without a text of its own gets a general one. */
export function signInPage(refused: string): string {
  return `/dashboard/sign-in?refused=${refused}`;
}
