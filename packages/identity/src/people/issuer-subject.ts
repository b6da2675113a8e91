/** Someone as one OpenID Connect issuer knows them; the issuer never gives the subject to another person. */
export interface IssuerSubject {
  readonly issuer: string;
  readonly subject: string;
}
