/** Identifies a person at an issuer. The issuer gives a subject to one person only. */
export interface IssuerSubject {
  readonly issuer: string;
  readonly subject: string;
}
