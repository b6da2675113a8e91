import type { RequestHandler } from 'express';
import { refuseUnknownFraming } from '../body-headers.js';

/** Prevents request smuggling. */
export const checkFraming: RequestHandler = (req, _res, next) => {
  refuseUnknownFraming(req.headers);
  next();
};
