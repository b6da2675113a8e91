import type { RequestHandler } from 'express';
import { refuseUnknownFraming } from '../body-headers.js';

/** Refuses a body that a proxy before the gateway may have framed in another way. */
export const checkFraming: RequestHandler = (req, _res, next) => {
  refuseUnknownFraming(req.headers);
  next();
};
