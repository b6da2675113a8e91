/** A person at an issuer, who never reassigns the subject. */
export interface IssuerSubject {
  readonly issuer: string;
  readonly subject: string;
}
