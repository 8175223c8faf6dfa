# One image for every role; ROLE says which. Never built: no Docker engine was available.
# Node 22 is the newest for which uWebSockets.js comes from npm; on later ones the hub runs on ws.
FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:22-slim
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data /tombstones && chown node:node /data /tombstones
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data TOMBSTONES_DIR=/tombstones
VOLUME /data /tombstones
USER node
EXPOSE 8080 8081 8082
CMD ["node", "dist/bundle/main.mjs"]
