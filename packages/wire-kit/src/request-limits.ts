/** Bounds of section 8.2 of the specification, which hold in both formats. */
export const MAX_MESSAGES = 200;
/** Characters of text in one message, over all its parts. */
export const MAX_MESSAGE_CHARACTERS = 1_000_000;
export const MAX_TOOLS = 128;
export const MAX_STOP_SEQUENCES = 16;
/** Characters of the chat format's `user`. */
export const MAX_USER_CHARACTERS = 256;
/** Characters of `metadata.user_id`, which coding agents fill with a JSON text of about 150. */
export const MAX_METADATA_USER_ID_CHARACTERS = 4096;
/** Characters of a model name; no slug or alias comes near it. */
export const MAX_MODEL_NAME_CHARACTERS = 256;
