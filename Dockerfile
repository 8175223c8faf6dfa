# One image for every role; ROLE says which. It runs on real stores: the embedded ones are left out.
#
#   docker compose build
#
# Where the network needs an authority or a registry of its own, give the build both as secrets. They leave no trace in
# the image:
#
#   docker build -t resort-booking-platform --secret id=authority,src=ca.pem --secret id=npmrc,src=$HOME/.npmrc .
#
# Node 22 is the newest for which uWebSockets.js comes from npm. To try another base: --build-arg NODE_IMAGE=…
ARG NODE_IMAGE=node:22.23.3-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=secret,id=authority --mount=type=secret,id=npmrc,target=/root/.npmrc \
    if [ -f /run/secrets/authority ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/authority; fi; \
    npm ci --no-audit --no-fund
COPY . .
RUN npm run build \
 && npm sbom --omit=dev --sbom-format=spdx > sbom.spdx.json \
 && npm prune --omit=dev --no-audit --no-fund --ignore-scripts \
 && node dist/ops/dev/image.js

FROM ${NODE_IMAGE}
WORKDIR /app
COPY --from=build /app/package.json /app/sbom.spdx.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/ops/cli.mjs ./ops/
COPY --from=build /app/dist ./dist
# `resort projections list` is here what `npm run projections -- list` is in a checkout.
RUN ln -s /app/ops/cli.mjs /usr/local/bin/resort \
 && install -d -o node -g node -m 700 /data /tombstones /backups
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data TOMBSTONES_DIR=/tombstones METRICS_PORT=9464
USER node
# /ready is at this port in every role. bash alone, because it is asked every few seconds.
HEALTHCHECK --interval=5s --timeout=4s --start-period=10m \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/9464 && printf 'GET /ready HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
CMD ["node", "dist/bundle/main.mjs"]
