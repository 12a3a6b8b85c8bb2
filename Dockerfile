# tieout as a container, from a checkout: docker build -t tieout .
# It brings no database server: DATABASE_URL names one that outlives the container, so that nobody loses books with it.
FROM node:20-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# A checkout under a closed umask has files that the user node could not read.
RUN npm run build && chmod -R a+rX package.json CHANGELOG.md dist src sql migrations jobs

FROM node:20-bookworm-slim AS packages
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:20-bookworm-slim
ENV NODE_ENV=production
ENV TIEOUT_HOME=/var/lib/tieout
WORKDIR /opt/tieout
COPY --from=packages /src/node_modules ./node_modules
COPY --from=build /src/package.json /src/CHANGELOG.md ./
COPY --from=build /src/dist ./dist
COPY --from=build /src/src ./src
COPY --from=build /src/sql ./sql
COPY --from=build /src/migrations ./migrations
COPY --from=build /src/jobs ./jobs
RUN ln -s /opt/tieout/dist/program/cli/main.js /usr/local/bin/tieout && install -d -o node -g node -m 0700 /var/lib/tieout
USER node
HEALTHCHECK --interval=10m --timeout=30s --start-period=26h CMD ["tieout", "status", "--check", "--max-age", "26h"]
ENTRYPOINT ["tieout"]
CMD ["worker"]
