/** The media type in lower case, without parameters. */
export function mediaTypeOf(contentType: string): string {
  const parameters = contentType.indexOf(';');
  return (parameters === -1 ? contentType : contentType.slice(0, parameters)).trim().toLowerCase();
}
