/** Path of the page that explains a failed sign-in. For a code that it does not know, the page shows a general text. */
export function signInPage(refused: string): string {
  return `/dashboard/sign-in?refused=${refused}`;
}
