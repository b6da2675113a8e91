/** An issuer never reassigns a subject. */
export interface IssuerSubject {
  readonly issuer: string;
  readonly subject: string;
}
