/** Never reassigned by its issuer. */
export interface IssuerSubject {
  readonly issuer: string;
  readonly subject: string;
}
