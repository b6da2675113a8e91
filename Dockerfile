# The image of Tollgate: the gateway, the command line and the built dashboard, and the packages that they load.
# docs/operations.md#in-containers says how to run it, and what is in it.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY . .
RUN npm run build -- --programs
# Replaces everything installed by what a production install brings.
RUN npm ci --omit=dev --ignore-scripts --workspace @tollgate/gateway --workspace @tollgate/cli
RUN node scripts/image-files.mjs /image

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Tollgate" \
      org.opencontainers.image.description="A gateway in front of language models: keys, limits, metering and billing." \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

# SQLite writes large sorts to a file: without SQLITE_TMPDIR to /tmp, which a read-only root file system refuses.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATABASE_URL=sqlite:/data/tollgate.db \
    MAIL_FOLDER=/data/mail \
    SQLITE_TMPDIR=/data \
    MALLOC_MMAP_THRESHOLD_=4194304 \
    MALLOC_TRIM_THRESHOLD_=16777216

WORKDIR /app
COPY --from=build /image /
# 1000 is the user that the base image names node. A number lets an orchestrator see that it is not root.
RUN mkdir /data && chown 1000:1000 /data && chmod 700 /data
USER 1000:1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and gets the signals. A test compares its flags, and the thresholds of malloc above, with apps/gateway/package.json.
ENTRYPOINT ["node", "--no-memory-reducer", "--max-semi-space-size=32", "apps/gateway/bundle/main.js"]
