#compdef flux

autoload -U is-at-least

_flux() {
    typeset -A opt_args
    typeset -a _arguments_options
    local ret=1

    if is-at-least 5.2; then
        _arguments_options=(-s -S -C)
    else
        _arguments_options=(-s -C)
    fi

    local context curcontext="$curcontext" state line
    _arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-v[Print the version]' \
'--version[Print the version]' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux_commands" \
"*::: :->flux" \
&& ret=0
    case $state in
    (flux)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-command-$line[1]:"
        case $line[1] in
            (build)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__build_commands" \
"*::: :->build" \
&& ret=0

    case $state in
    (build)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-build-command-$line[1]:"
        case $line[1] in
            (artifact)
_arguments "${_arguments_options[@]}" : \
'-p+[Directory, file, or - for standard input]:PATH:_default' \
'--path=[Directory, file, or - for standard input]:PATH:_default' \
'-o+[File to write]:FILE:_default' \
'--output=[File to write]:FILE:_default' \
'*--add-ignore-paths=[Paths to leave out in addition, in .gitignore'\''s language]:PATTERN:_default' \
'*--ignore-paths=[Paths to leave out, in .gitignore'\''s language]:PATTERN:_default' \
'--resolve-symlinks=[Pack what symbolic links lead to in their place]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(kustomization)
_arguments "${_arguments_options[@]}" : \
'*--ignore-paths=[Paths to leave out, in the format of .gitignore]:PATTERN:_default' \
'--in-memory-build=[Read nothing outside of the working directory]::BOOL:_default' \
'--kustomization-file=[File with the Kustomization]:FILE:_files' \
'*--local-sources=[Folders of sources, as KIND/NAMESPACE/NAME=PATH,…]:SOURCE=PATH:_default' \
'--path=[Folder of the manifests]:DIR:_default' \
'-r+[Go on with the Kustomizations among the objects]::BOOL:_default' \
'--recursive=[Go on with the Kustomizations among the objects]::BOOL:_default' \
'--strict-substitute=[Fail on variables that have neither value nor default]::BOOL:_default' \
'--dry-run=[Ask no cluster\: the Kustomization is that of --kustomization-file, and variables come from its own list only]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the Kustomization:_default' \
&& ret=0
;;
(overlay)
_arguments "${_arguments_options[@]}" : \
'--reorder=[Order of the objects\: that of their kinds, or none; a file'\''s sortOptions win]:REORDER:(none legacy)' \
'--load-restrictor=[Files that a kustomization may read\: those in and below its own folder, or all]:LOAD_RESTRICTOR:(root none)' \
'-o+[File to write to, or folder for a file per object]:FILE|DIR:_files' \
'--output=[File to write to, or folder for a file per object]:FILE|DIR:_files' \
'--enable-managedby-label=[Label every object as managed by kustomize]::BOOL:_default' \
'--flux=[Build with the defaults of Flux\: unordered, unrestricted]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'::directory -- Folder with a kustomization file, or the URL of one in a repository:_files' \
&& ret=0
;;
        esac
    ;;
esac
;;
(check)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'*--components=[Controllers that have to be there, if this is given]:NAME:_default' \
'*--components-extra=[More controllers to check]:NAME:_default' \
'--poll-interval=[How often to look while waiting; health is watched, so this is accepted and not needed]:DURATION:_default' \
'--pre=[Check only what has to hold before an installation]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(completion)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__completion_commands" \
"*::: :->completion" \
&& ret=0

    case $state in
    (completion)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-completion-command-$line[1]:"
        case $line[1] in
            (bash)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(fish)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(powershell)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(zsh)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
        esac
    ;;
esac
;;
(controller)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
':name -- Controller to run\: source-controller, kustomize-controller, or all:_default' \
'*::flags -- Flags of the controller; `all` takes those of one controller as --NAME.flag:_default' \
&& ret=0
;;
(create)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__create_commands" \
"*::: :->create" \
&& ret=0

    case $state in
    (create)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-create-command-$line[1]:"
        case $line[1] in
            (alert)
_arguments "${_arguments_options[@]}" : \
'--event-severity=[Least severity of the events\: info or error]:SEVERITY:_default' \
'*--event-source=[Objects whose events are sent, as KIND/NAME\[.NAMESPACE\],…; a NAME of * means all]:OBJECT:_default' \
'--provider-ref=[Provider that the events go to]:NAME:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(alert-provider)
_arguments "${_arguments_options[@]}" : \
'--address=[Address of the repository, the chat or the webhook]:URL:_default' \
'--channel=[Channel of a chat]:CHANNEL:_default' \
'--secret-ref=[Secret with the token]:NAME:_default' \
'--type=[What it is\: slack, github, generic, …]:TYPE:_default' \
'--username=[Name under which messages are posted]:NAME:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(helmrelease)
_arguments "${_arguments_options[@]}" : \
'--chart=[Name of the chart, or its path in the source]:CHART:_default' \
'--chart-interval=[How often to look for new versions of the chart; without it, as often as to reconcile]:DURATION:_default' \
'--chart-ref=[Object that is the chart, as OCIRepository/NAME\[.NAMESPACE\] or HelmChart/NAME\[.NAMESPACE\]]:OBJECT:_default' \
'--chart-version=[Version of the chart, or a range]:RANGE:_default' \
'--crds=[What an upgrade does with the chart'\''s definitions; an installation creates them]:POLICY:(Skip Create CreateReplace)' \
'--create-target-namespace=[Create the target namespace where it is missing]::BOOL:_default' \
'*--depends-on=[Releases that must be ready before this one, as NAMESPACE/NAME@EXPRESSION,…; the name is enough]:NAME:_default' \
'--kubeconfig-secret-ref=[Secret with the kubeconfig of the cluster to install to]:NAME:_default' \
'--reconcile-strategy=[What makes a new artifact of the chart\: a version, or any change of the source]:STRATEGY:(Revision ChartVersion)' \
'--release-name=[Name of the Helm release; without it, \[TARGET-NAMESPACE-\]NAME]:NAME:_default' \
'--service-account=[Service account to impersonate]:NAME:_default' \
'--source=[Source of the chart, as KIND/NAME\[.NAMESPACE\]]:SOURCE:_default' \
'--storage-namespace=[Namespace that Helm keeps the release in; without it, the target namespace]:NAMESPACE:_default' \
'--target-namespace=[Namespace to install to]:NAMESPACE:_default' \
'*--values=[Files with values; later ones win]:FILE:_default' \
'*--values-from=[Objects with values under the key values.yaml, as Secret/NAME or ConfigMap/NAME,…]:OBJECT:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(image)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__create__subcmd__image_commands" \
"*::: :->image" \
&& ret=0

    case $state in
    (image)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-create-image-command-$line[1]:"
        case $line[1] in
            (policy)
_arguments "${_arguments_options[@]}" : \
'--filter-extract=[What of a matching tag is compared, such as \$ts]:TEMPLATE:_default' \
'--filter-regex=[Regular expression that tags must match]:REGEX:_default' \
'--image-ref=[Object that scans the image whose tags count]:NAME:_default' \
'--interval=[How often to look at the digest, with --reflect-digest=Always]:DURATION:_default' \
'--reflect-digest=[Whether the digest of the tag is noted]:POLICY:(Never IfNotPresent Always)' \
'--select-alpha=[Take the last (asc) or first (desc) tag by letters]:ORDER:(asc desc)' \
'--select-numeric=[Take the greatest (asc) or least (desc) tag as a number]:ORDER:(asc desc)' \
'--select-semver=[Take the newest version in this range]:RANGE:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(repository)
_arguments "${_arguments_options[@]}" : \
'--cert-ref=[Secret with certificates for the registry]:NAME:_default' \
'--image=[Image to scan, without a tag]:IMAGE:_default' \
'--scan-timeout=[How long a scan may take; without it, as long as the interval]:DURATION:_default' \
'--secret-ref=[Image pull secret]:NAME:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(update)
_arguments "${_arguments_options[@]}" : \
'--author-email=[Author'\''s address in commits]:ADDRESS:_default' \
'--author-name=[Author'\''s name in commits]:NAME:_default' \
'--checkout-branch=[Branch to start from]:BRANCH:_default' \
'--commit-template=[Template of commit messages]:TEMPLATE:_default' \
'--git-repo-namespace=[Namespace of the GitRepository, where it is another]:NAMESPACE:_default' \
'--git-repo-path=[Directory with the manifests to update; without it, all]:PATH:_default' \
'--git-repo-ref=[GitRepository to write to]:NAME:_default' \
'--push-branch=[Branch to push to, where it is another]:BRANCH:_default' \
'--signing-key-secret=[Secret with the key that signs commits]:NAME:_default' \
'--signing-key-type=[What the signing key is; without it, gpg]:TYPE:(gpg ssh)' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(kustomization)
_arguments "${_arguments_options[@]}" : \
'--decryption-provider=[What decrypts the manifests]:PROVIDER:(sops)' \
'--decryption-secret=[Secret with the decryption keys]:NAME:_default' \
'*--depends-on=[Kustomizations that must be ready before this one, as NAMESPACE/NAME@EXPRESSION,…; the name is enough]:NAME:_default' \
'*--health-check=[Workloads to include in the health check, as KIND/NAME.NAMESPACE,…]:WORKLOAD:_default' \
'--health-check-timeout=[How long the health check may take]:DURATION:_default' \
'--kubeconfig-secret-ref=[Secret with the kubeconfig of the cluster to apply to]:NAME:_default' \
'--path=[Directory of the source to apply]:PATH:_default' \
'--prune=[Delete what is no longer in the source]::BOOL:_default' \
'--retry-interval=[How long to wait after a failure]:DURATION:_default' \
'--service-account=[Service account to impersonate]:NAME:_default' \
'--source=[Source of the manifests, as \[KIND/\]NAME\[.NAMESPACE\]]:SOURCE:_default' \
'--target-namespace=[Namespace for everything that is applied]:NAMESPACE:_default' \
'--validation=[Deprecated and without effect]:VALIDATION:(client server)' \
'--wait=[Wait for everything that is applied to be healthy]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(receiver)
_arguments "${_arguments_options[@]}" : \
'*--event=[Events that count; without one, all]:EVENT:_default' \
'*--resource=[Objects to reconcile, as KIND/NAME,…]:OBJECT:_default' \
'--secret-ref=[Secret with the token]:NAME:_default' \
'--type=[What calls the webhook]:TYPE:(generic generic-hmac github gitlab bitbucket harbor dockerhub quay gcr nexus acr cdevents)' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(secret)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__create__subcmd__secret_commands" \
"*::: :->secret" \
&& ret=0

    case $state in
    (secret)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-create-secret-command-$line[1]:"
        case $line[1] in
            (git)
_arguments "${_arguments_options[@]}" : \
'--url=[Address of the repository\: ssh\://, https\:// or http\://]:URL:_default' \
'-u+[User name, over HTTP(S)]:NAME:_default' \
'--username=[User name, over HTTP(S)]:NAME:_default' \
'-p+[Password, over HTTP(S), or the passphrase of the private key]:PASSWORD:_default' \
'--password=[Password, over HTTP(S), or the passphrase of the private key]:PASSWORD:_default' \
'--bearer-token=[Token that is sent instead of a user name, over HTTP(S)]:TOKEN:_default' \
'--ca-crt-file=[File with the authorities to trust, PEM]:FILE:_default' \
'--ssh-ecdsa-curve=[Curve of a new ECDSA key]:CURVE:(p256 p384 p521)' \
'--ssh-key-algorithm=[Algorithm of a new key]:ALGORITHM:(rsa ecdsa ed25519)' \
'--ssh-rsa-bits=[Bits of a new RSA key\: a multiple of 8]:BITS:_default' \
'--private-key-file=[File with a private key to use instead of a new one]:FILE:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the Secret:_default' \
&& ret=0
;;
(githubapp)
_arguments "${_arguments_options[@]}" : \
'--app-id=[Number of the App]:ID:_default' \
'--app-installation-owner=[Organisation or user that installed the App]:NAME:_default' \
'--app-installation-id=[Number of the installation]:ID:_default' \
'--app-private-key=[File with the App'\''s private key]:FILE:_default' \
'--app-base-url=[API of an enterprise'\''s own GitHub]:URL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the Secret:_default' \
&& ret=0
;;
(helm)
_arguments "${_arguments_options[@]}" : \
'--ca-crt-file=[File with the authorities to trust, PEM]:FILE:_default' \
'-p+[Password for the repository]:PASSWORD:_default' \
'--password=[Password for the repository]:PASSWORD:_default' \
'--tls-crt-file=[File with the client certificate, PEM]:FILE:_default' \
'--tls-key-file=[File with the key of the client certificate, PEM]:FILE:_default' \
'-u+[User name for the repository]:NAME:_default' \
'--username=[User name for the repository]:NAME:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the Secret:_default' \
&& ret=0
;;
(notation)
_arguments "${_arguments_options[@]}" : \
'*--ca-cert-file=[Files with the authorities to trust, each named *.crt or *.pem]:FILE:_default' \
'--trust-policy-file=[File with the trust policy]:FILE:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the Secret:_default' \
&& ret=0
;;
(oci)
_arguments "${_arguments_options[@]}" : \
'--url=[Address of the registry or of a repository in it, without a scheme]:ADDRESS:_default' \
'-u+[User name for the registry]:NAME:_default' \
'--username=[User name for the registry]:NAME:_default' \
'-p+[Password or token for the registry]:PASSWORD:_default' \
'--password=[Password or token for the registry]:PASSWORD:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the Secret:_default' \
&& ret=0
;;
(proxy)
_arguments "${_arguments_options[@]}" : \
'--address=[Address of the proxy\: http\://, https\:// or socks5\://]:URL:_default' \
'-u+[User name for the proxy]:NAME:_default' \
'--username=[User name for the proxy]:NAME:_default' \
'-p+[Password for the proxy]:PASSWORD:_default' \
'--password=[Password for the proxy]:PASSWORD:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the Secret:_default' \
&& ret=0
;;
(receiver)
_arguments "${_arguments_options[@]}" : \
'--audience-claim=[Audience of the tokens that a registry of Google sends; without it, the webhook'\''s address]:AUDIENCE:_default' \
'--email-claim=[Service account whose tokens a registry of Google sends]:ADDRESS:_default' \
'--hostname=[Host under which the webhook is reached]:HOST:_default' \
'--token=[Token that requests are checked with; without it, a random one]:TOKEN:_default' \
'--type=[What calls the webhook]:TYPE:(generic generic-hmac github gitlab bitbucket harbor dockerhub quay gcr nexus acr cdevents)' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the Secret:_default' \
&& ret=0
;;
(tls)
_arguments "${_arguments_options[@]}" : \
'--ca-crt-file=[File with the authorities to trust, PEM]:FILE:_default' \
'--tls-crt-file=[File with the client certificate, PEM]:FILE:_default' \
'--tls-key-file=[File with the key of the client certificate, PEM]:FILE:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the Secret:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(source)
_arguments "${_arguments_options[@]}" : \
'--fetch-timeout=[How long one fetch may take]:DURATION:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__create__subcmd__source_commands" \
"*::: :->source" \
&& ret=0

    case $state in
    (source)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-create-source-command-$line[1]:"
        case $line[1] in
            (bucket)
_arguments "${_arguments_options[@]}" : \
'--access-key=[Access key, of which a Secret is made]:KEY:_default' \
'--bucket-name=[Name of the bucket]:NAME:_default' \
'--endpoint=[Address of the storage]:HOST:_default' \
'*--ignore-paths=[Paths to leave out of the artifact, in .gitignore'\''s language]:PATTERN:_default' \
'--insecure=[Take plain HTTP]::BOOL:_default' \
'--provider=[Who runs the storage, and gives the credentials]:PROVIDER:(generic aws azure gcp)' \
'--proxy-secret-ref=[Secret with the proxy'\''s address and credentials]:NAME:_default' \
'--region=[Region of the bucket]:REGION:_default' \
'--secret-key=[Secret key, of which a Secret is made]:KEY:_default' \
'--secret-ref=[Secret with the credentials; without it, one is made of those that are given]:NAME:_default' \
'--fetch-timeout=[How long one fetch may take]:DURATION:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(chart)
_arguments "${_arguments_options[@]}" : \
'--chart=[Name of the chart, or its path in the source]:CHART:_default' \
'--chart-version=[Version of the chart, or a range]:RANGE:_default' \
'--reconcile-strategy=[What makes a new artifact\: a version, or any change of the source]:STRATEGY:(Revision ChartVersion)' \
'--source=[Where the chart is, as KIND/NAME]:SOURCE:_default' \
'--verify-issuer=[Regular expression for who issued the signer'\''s certificate]:REGEX:_default' \
'--verify-provider=[Who verifies signatures]:PROVIDER:(cosign)' \
'--verify-secret-ref=[Secret with the keys of which one must have signed]:NAME:_default' \
'--verify-subject=[Regular expression for whom the signer'\''s certificate names]:REGEX:_default' \
'--fetch-timeout=[How long one fetch may take]:DURATION:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(git)
_arguments "${_arguments_options[@]}" : \
'--branch=[Branch to follow]:BRANCH:_default' \
'--commit=[Commit to stay at]:SHA:_default' \
'*--ignore-paths=[Paths to leave out of the artifact, in .gitignore'\''s language]:PATTERN:_default' \
'--provider=[Cloud that gives the credentials]:PROVIDER:(generic github aws azure)' \
'--proxy-secret-ref=[Secret with the proxy'\''s address and credentials]:NAME:_default' \
'--recurse-submodules=[Fetch submodules too]::BOOL:_default' \
'--ref-name=[Full name of the reference to follow, such as refs/pull/1/head]:REF:_default' \
'--ca-file=[File with the authorities to trust, PEM]:FILE:_default' \
'-u+[User name, over HTTP(S)]:NAME:_default' \
'--username=[User name, over HTTP(S)]:NAME:_default' \
'-p+[Password, over HTTP(S), or the passphrase of the private key]:PASSWORD:_default' \
'--password=[Password, over HTTP(S), or the passphrase of the private key]:PASSWORD:_default' \
'--ssh-ecdsa-curve=[Curve of a new ECDSA key]:CURVE:(p256 p384 p521)' \
'--ssh-key-algorithm=[Algorithm of a new key]:ALGORITHM:(rsa ecdsa ed25519)' \
'--ssh-rsa-bits=[Bits of a new RSA key\: a multiple of 8]:BITS:_default' \
'--private-key-file=[File with a private key to use instead of a new one]:FILE:_default' \
'-s+[Do not ask whether the deploy key was made known]::BOOL:_default' \
'--silent=[Do not ask whether the deploy key was made known]::BOOL:_default' \
'--secret-ref=[Secret with the credentials; without it, one is made of those that are given]:NAME:_default' \
'*--sparse-checkout-paths=[Directories to have in the artifact, and nothing else]:PATH:_default' \
'--tag=[Tag to stay at]:TAG:_default' \
'--tag-semver=[Range of versions whose newest tag to follow]:RANGE:_default' \
'--url=[Address of the repository\: ssh\://, https\:// or http\://]:URL:_default' \
'--fetch-timeout=[How long one fetch may take]:DURATION:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(helm)
_arguments "${_arguments_options[@]}" : \
'--ca-file=[File with the authorities to trust, PEM]:FILE:_default' \
'--cert-file=[File with the client certificate, PEM]:FILE:_default' \
'--key-file=[File with the key of the client certificate, PEM]:FILE:_default' \
'--oci-provider=[Cloud that gives the credentials, for oci\://]:PROVIDER:_default' \
'--pass-credentials=[Send the credentials to other hosts that the index names, too]::BOOL:_default' \
'-p+[Password for the repository]:PASSWORD:_default' \
'--password=[Password for the repository]:PASSWORD:_default' \
'--secret-ref=[Secret with the credentials; without it, one is made of those that are given]:NAME:_default' \
'--url=[Address of the repository\: http\://, https\:// or oci\://]:URL:_default' \
'-u+[User name for the repository]:NAME:_default' \
'--username=[User name for the repository]:NAME:_default' \
'--fetch-timeout=[How long one fetch may take]:DURATION:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(oci)
_arguments "${_arguments_options[@]}" : \
'--cert-ref=[Secret with certificates for the registry]:NAME:_default' \
'--digest=[Digest to stay at]:DIGEST:_default' \
'*--ignore-paths=[Paths to leave out of the artifact, in .gitignore'\''s language]:PATTERN:_default' \
'--insecure=[Take plain HTTP, and certificates unseen]::BOOL:_default' \
'--layer-selector=[Layer to take, as MEDIA-TYPE\:extract or MEDIA-TYPE\:copy]:SELECTOR:_default' \
'--provider=[Cloud that gives the credentials]:PROVIDER:(generic aws azure gcp)' \
'--proxy-secret-ref=[Secret with the proxy'\''s address and credentials]:NAME:_default' \
'--secret-ref=[Image pull secret]:NAME:_default' \
'--service-account=[Service account that names image pull secrets]:NAME:_default' \
'--tag=[Tag to follow]:TAG:_default' \
'--tag-semver=[Range of versions whose newest tag to follow]:RANGE:_default' \
'--url=[Address of the repository\: oci\://REGISTRY/REPOSITORY]:URL:_default' \
'--verify-issuer=[Regular expression for who issued the signer'\''s certificate]:REGEX:_default' \
'--verify-provider=[Who verifies signatures]:PROVIDER:(cosign)' \
'--verify-secret-ref=[Secret with the keys of which one must have signed]:NAME:_default' \
'--verify-subject=[Regular expression for whom the signer'\''s certificate names]:REGEX:_default' \
'--fetch-timeout=[How long one fetch may take]:DURATION:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(tenant)
_arguments "${_arguments_options[@]}" : \
'--cluster-role=[Cluster role that the tenant has in its namespaces]:ROLE:_default' \
'--skip-namespace=[Take the namespaces as they are]::BOOL:_default' \
'*--with-namespace=[Namespaces of the tenant]:NAMESPACE:_default' \
'--with-service-account=[Service account of the tenant, where it is not named like it]:NAME:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--export=[Print the object as YAML and change nothing]::BOOL:_default' \
'--interval=[How often to reconcile]:DURATION:_default' \
'*--label=[Labels of the object, as KEY=VALUE,…]:KEY=VALUE:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the tenant:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(debug)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__debug_commands" \
"*::: :->debug" \
&& ret=0

    case $state in
    (debug)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-debug-command-$line[1]:"
        case $line[1] in
            (kustomization)
_arguments "${_arguments_options[@]}" : \
'--show-history=[Print the history of its reconciliations]::BOOL:_default' \
'--show-status=[Print its status]::BOOL:_default' \
'--show-vars=[Print its variables as NAME=VALUE, those of Secrets too]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the Kustomization:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(delete)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__delete_commands" \
"*::: :->delete" \
&& ret=0

    case $state in
    (delete)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-delete-command-$line[1]:"
        case $line[1] in
            (helmrelease)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(kustomization)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(receiver)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(alert-provider)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(alert)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(image)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__delete__subcmd__image_commands" \
"*::: :->image" \
&& ret=0

    case $state in
    (image)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-delete-image-command-$line[1]:"
        case $line[1] in
            (repository)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(update)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(source)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__delete__subcmd__source_commands" \
"*::: :->source" \
&& ret=0

    case $state in
    (source)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-delete-source-command-$line[1]:"
        case $line[1] in
            (oci)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(bucket)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(git)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(helm)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(chart)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-s+[Delete without asking]::BOOL:_default' \
'--silent=[Delete without asking]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
;;
(dev)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--once=[Run the demonstration, and leave with its exit code]::BOOL:_default' \
'--path=[Repository to reconcile\: a Git repository, bare or not, or a plain directory (default\: a small one of our own)]:DIR:_files' \
'--branch=[Branch to follow]:BRANCH:_default' \
'--directory=[Directory of the repository to apply, beginning with ./]:PATH:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(diff)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__diff_commands" \
"*::: :->diff" \
&& ret=0

    case $state in
    (diff)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-diff-command-$line[1]:"
        case $line[1] in
            (artifact)
_arguments "${_arguments_options[@]}" : \
'--path=[Directory or file to compare with]:PATH:_default' \
'--creds=[Credentials as USER\:PASSWORD, or a token]:CREDENTIALS:_default' \
'--provider=[Cloud that gives the credentials]:PROVIDER:(generic aws azure gcp)' \
'*--add-ignore-paths=[Paths to leave out in addition, in .gitignore'\''s language]:PATTERN:_default' \
'*--ignore-paths=[Paths to leave out, in .gitignore'\''s language]:PATTERN:_default' \
'--insecure-registry=[Take plain HTTP, and certificates unseen]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::url -- Address\: oci\://REGISTRY/REPOSITORY\:TAG:_default' \
&& ret=0
;;
(kustomization)
_arguments "${_arguments_options[@]}" : \
'*--ignore-paths=[Paths to leave out, in the format of .gitignore]:PATTERN:_default' \
'--in-memory-build=[Read nothing outside of the working directory]::BOOL:_default' \
'--kustomization-file=[File with the Kustomization]:FILE:_files' \
'*--local-sources=[Folders of sources, as KIND/NAMESPACE/NAME=PATH,…]:SOURCE=PATH:_default' \
'--path=[Folder of the manifests]:DIR:_default' \
'-r+[Go on with the Kustomizations among the objects]::BOOL:_default' \
'--recursive=[Go on with the Kustomizations among the objects]::BOOL:_default' \
'--strict-substitute=[Fail on variables that have neither value nor default]::BOOL:_default' \
'--ignore-not-found=[Go on if the cluster does not have the Kustomization of --kustomization-file]::BOOL:_default' \
'--progress-bar=[Show on the terminal that work is under way]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the Kustomization:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(envsubst)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--strict=[Fail on variables that have neither value nor default]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(events)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[Show the events of all namespaces]::BOOL:_default' \
'--all-namespaces=[Show the events of all namespaces]::BOOL:_default' \
'--for=[Show only events of this object and of what it refers to, as KIND/NAME, or of one kind]:KIND[/NAME]:_default' \
'*--types=[Show only events of these types]:Normal,Warning:_default' \
'-w+[Go on showing what happens]::BOOL:_default' \
'--watch=[Go on showing what happens]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(export)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__export_commands" \
"*::: :->export" \
&& ret=0

    case $state in
    (export)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-export-command-$line[1]:"
        case $line[1] in
            (helmrelease)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(kustomization)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(receiver)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(alert-provider)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(alert)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(artifact)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__export__subcmd__artifact_commands" \
"*::: :->artifact" \
&& ret=0

    case $state in
    (artifact)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-export-artifact-command-$line[1]:"
        case $line[1] in
            (generator)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(image)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__export__subcmd__image_commands" \
"*::: :->image" \
&& ret=0

    case $state in
    (image)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-export-image-command-$line[1]:"
        case $line[1] in
            (repository)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(update)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(source)
_arguments "${_arguments_options[@]}" : \
'--with-credentials=[Export the Secret that the object refers to as well]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__export__subcmd__source_commands" \
"*::: :->source" \
&& ret=0

    case $state in
    (source)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-export-source-command-$line[1]:"
        case $line[1] in
            (oci)
_arguments "${_arguments_options[@]}" : \
'--with-credentials=[Export the Secret that the object refers to as well]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(bucket)
_arguments "${_arguments_options[@]}" : \
'--with-credentials=[Export the Secret that the object refers to as well]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(git)
_arguments "${_arguments_options[@]}" : \
'--with-credentials=[Export the Secret that the object refers to as well]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(helm)
_arguments "${_arguments_options[@]}" : \
'--with-credentials=[Export the Secret that the object refers to as well]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(chart)
_arguments "${_arguments_options[@]}" : \
'--with-credentials=[Export the Secret that the object refers to as well]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(external)
_arguments "${_arguments_options[@]}" : \
'--with-credentials=[Export the Secret that the object refers to as well]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Export every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
;;
(get)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__get_commands" \
"*::: :->get" \
&& ret=0

    case $state in
    (get)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-get-command-$line[1]:"
        case $line[1] in
            (helmreleases)
_arguments "${_arguments_options[@]}" : \
'--show-source=[Show each object'\''s source]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(kustomizations)
_arguments "${_arguments_options[@]}" : \
'--show-source=[Show each object'\''s source]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(receivers)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(alert-providers)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(alerts)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(artifacts)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__get__subcmd__artifacts_commands" \
"*::: :->artifacts" \
&& ret=0

    case $state in
    (artifacts)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-get-artifacts-command-$line[1]:"
        case $line[1] in
            (generators)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(all)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(sources)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__get__subcmd__sources_commands" \
"*::: :->sources" \
&& ret=0

    case $state in
    (sources)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-get-sources-command-$line[1]:"
        case $line[1] in
            (oci)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(bucket)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(git)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(helm)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(chart)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(external)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(all)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(images)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__get__subcmd__images_commands" \
"*::: :->images" \
&& ret=0

    case $state in
    (images)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-get-images-command-$line[1]:"
        case $line[1] in
            (repository)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(update)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(all)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[List the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[List the objects of all namespaces]::BOOL:_default' \
'-l+[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--label-selector=[List only objects with these labels, as KEY=VALUE,…]:SELECTOR:_default' \
'--no-header=[Leave the header out]::BOOL:_default' \
'--status-selector=[List only objects whose condition has, or with != has not, this status]:TYPE=STATUS:_default' \
'-w+[Go on listing what changes]::BOOL:_default' \
'--watch=[Go on listing what changes]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
;;
(install)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--cluster-domain=[Domain of the cluster'\''s own names]:DOMAIN:_default' \
'*--components=[Controllers to install]:NAME:_default' \
'*--components-extra=[Controllers to install as well]:NAME:_default' \
'--export=[Print the manifests and change nothing]::BOOL:_default' \
'--force=[Install even where the cluster is managed from Git]::BOOL:_default' \
'--image-pull-secret=[Secret with the registry'\''s credentials]:NAME:_default' \
'--log-level=[Log level of the controllers]:LEVEL:(debug info error)' \
'--network-policy=[Let only what needs to reach the controllers]::BOOL:_default' \
'--registry=[What stands before the images'\'' names]:PREFIX:_default' \
'*--toleration-keys=[Taints that the controllers tolerate]:KEY:_default' \
'-v+[Version of the images (default\: this binary'\''s)]:VERSION:_default' \
'--version=[Version of the images (default\: this binary'\''s)]:VERSION:_default' \
'--watch-all-namespaces=[Reconcile the objects of all namespaces, not only of the controllers'\'' own]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(list)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__list_commands" \
"*::: :->list" \
&& ret=0

    case $state in
    (list)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-list-command-$line[1]:"
        case $line[1] in
            (artifacts)
_arguments "${_arguments_options[@]}" : \
'--filter-semver=[Only tags in this range of versions]:RANGE:_default' \
'--filter-regex=[Only tags that this regular expression matches]:REGEX:_default' \
'--creds=[Credentials as USER\:PASSWORD, or a token]:CREDENTIALS:_default' \
'--provider=[Cloud that gives the credentials]:PROVIDER:(generic aws azure gcp)' \
'--insecure-registry=[Take plain HTTP, and certificates unseen]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::url -- Address\: oci\://REGISTRY/REPOSITORY:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(logs)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[Show lines about the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[Show lines about the objects of all namespaces]::BOOL:_default' \
'--flux-namespace=[Namespace that the controllers run in]:NAMESPACE:_default' \
'-f+[Go on showing lines as they are written]::BOOL:_default' \
'--follow=[Go on showing lines as they are written]::BOOL:_default' \
'--kind=[Show only lines about this kind]:KIND:_default' \
'--level=[Show only lines of this level]:LEVEL:(debug info error)' \
'--name=[Show only lines about the object of this name]:NAME:_default' \
'--since=[Show only lines younger than this]:DURATION:_default' \
'--since-time=[Show only lines written after this time, as RFC 3339]:TIME:_default' \
'--tail=[How many of the newest lines of each pod to show; all with -1]:N:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(pull)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__pull_commands" \
"*::: :->pull" \
&& ret=0

    case $state in
    (pull)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-pull-command-$line[1]:"
        case $line[1] in
            (artifact)
_arguments "${_arguments_options[@]}" : \
'-o+[Directory to extract to]:DIR:_default' \
'--output=[Directory to extract to]:DIR:_default' \
'--creds=[Credentials as USER\:PASSWORD, or a token]:CREDENTIALS:_default' \
'--provider=[Cloud that gives the credentials]:PROVIDER:(generic aws azure gcp)' \
'--insecure-registry=[Take plain HTTP, and certificates unseen]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::url -- Address\: oci\://REGISTRY/REPOSITORY\:TAG:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(push)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__push_commands" \
"*::: :->push" \
&& ret=0

    case $state in
    (push)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-push-command-$line[1]:"
        case $line[1] in
            (artifact)
_arguments "${_arguments_options[@]}" : \
'-f+[Directory, file, or - for standard input]:PATH:_default' \
'--path=[Directory, file, or - for standard input]:PATH:_default' \
'--source=[Address of what the content was made from, such as a Git URL]:URL:_default' \
'--revision=[Revision of that, as BRANCH@sha1\:COMMIT]:REVISION:_default' \
'--creds=[Credentials as USER\:PASSWORD, or a token]:CREDENTIALS:_default' \
'--provider=[Cloud that gives the credentials]:PROVIDER:(generic aws azure gcp)' \
'*--add-ignore-paths=[Paths to leave out in addition, in .gitignore'\''s language]:PATTERN:_default' \
'*--ignore-paths=[Paths to leave out, in .gitignore'\''s language]:PATTERN:_default' \
'*-a+[Annotation as KEY=VALUE, may be given several times]:KEY=VALUE:_default' \
'*--annotations=[Annotation as KEY=VALUE, may be given several times]:KEY=VALUE:_default' \
'-o+[Print where the artifact is in this format, and nothing else]:FORMAT:(yaml json)' \
'--output=[Print where the artifact is in this format, and nothing else]:FORMAT:(yaml json)' \
'--debug=[Accepted for scripts written for Flux\: failures are always told in full]::BOOL:_default' \
'--reproducible=[Leave the time out, so that equal content has an equal digest]::BOOL:_default' \
'--insecure-registry=[Take plain HTTP, and certificates unseen]::BOOL:_default' \
'--resolve-symlinks=[Pack what symbolic links lead to in their place]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::url -- Address\: oci\://REGISTRY/REPOSITORY\:TAG:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(reconcile)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__reconcile_commands" \
"*::: :->reconcile" \
&& ret=0

    case $state in
    (reconcile)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-reconcile-command-$line[1]:"
        case $line[1] in
            (helmrelease)
_arguments "${_arguments_options[@]}" : \
'--with-source=[Reconcile the object'\''s source first]::BOOL:_default' \
'--force=[Install or upgrade once, whatever the state]::BOOL:_default' \
'--reset=[Forget the failures counted so far]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(kustomization)
_arguments "${_arguments_options[@]}" : \
'--with-source=[Reconcile the object'\''s source first]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(receiver)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(image)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__reconcile__subcmd__image_commands" \
"*::: :->image" \
&& ret=0

    case $state in
    (image)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-reconcile-image-command-$line[1]:"
        case $line[1] in
            (repository)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(update)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(source)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__reconcile__subcmd__source_commands" \
"*::: :->source" \
&& ret=0

    case $state in
    (source)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-reconcile-source-command-$line[1]:"
        case $line[1] in
            (oci)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(bucket)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(git)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(helm)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(chart)
_arguments "${_arguments_options[@]}" : \
'--with-source=[Reconcile the object'\''s source first]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
;;
(resume)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__resume_commands" \
"*::: :->resume" \
&& ret=0

    case $state in
    (resume)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-resume-command-$line[1]:"
        case $line[1] in
            (helmrelease)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(kustomization)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(receiver)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(alert-provider)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(alert)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(image)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__resume__subcmd__image_commands" \
"*::: :->image" \
&& ret=0

    case $state in
    (image)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-resume-image-command-$line[1]:"
        case $line[1] in
            (repository)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(update)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(source)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__resume__subcmd__source_commands" \
"*::: :->source" \
&& ret=0

    case $state in
    (source)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-resume-source-command-$line[1]:"
        case $line[1] in
            (oci)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(bucket)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(git)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(helm)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(chart)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Resume every object of the namespace]::BOOL:_default' \
'--wait=[Wait for every resumed object to be reconciled]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
;;
(stats)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-A+[Count the objects of all namespaces]::BOOL:_default' \
'--all-namespaces=[Count the objects of all namespaces]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(suspend)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__suspend_commands" \
"*::: :->suspend" \
&& ret=0

    case $state in
    (suspend)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-suspend-command-$line[1]:"
        case $line[1] in
            (helmrelease)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(kustomization)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(receiver)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(alert-provider)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(alert)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(image)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__suspend__subcmd__image_commands" \
"*::: :->image" \
&& ret=0

    case $state in
    (image)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-suspend-image-command-$line[1]:"
        case $line[1] in
            (repository)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(policy)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(update)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(source)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__suspend__subcmd__source_commands" \
"*::: :->source" \
&& ret=0

    case $state in
    (source)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-suspend-source-command-$line[1]:"
        case $line[1] in
            (oci)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(bucket)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(git)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(helm)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
(chart)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--all=[Suspend every object of the namespace]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the object:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
        esac
    ;;
esac
;;
(tag)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__tag_commands" \
"*::: :->tag" \
&& ret=0

    case $state in
    (tag)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-tag-command-$line[1]:"
        case $line[1] in
            (artifact)
_arguments "${_arguments_options[@]}" : \
'*--tag=[Tag to give it, may be given several times]:TAG:_default' \
'--creds=[Credentials as USER\:PASSWORD, or a token]:CREDENTIALS:_default' \
'--provider=[Cloud that gives the credentials]:PROVIDER:(generic aws azure gcp)' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::url -- Address\: oci\://REGISTRY/REPOSITORY\:TAG:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(trace)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--api-version=[API version of the object, such as apps/v1]:VERSION:_default' \
'--kind=[Kind of the object, such as Deployment]:KIND:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::objects -- RESOURCE/NAME…, or RESOURCE NAME…:_default' \
&& ret=0
;;
(tree)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
":: :_flux__subcmd__tree_commands" \
"*::: :->tree" \
&& ret=0

    case $state in
    (tree)
        words=($line[1] "${words[@]}")
        (( CURRENT += 1 ))
        curcontext="${curcontext%:*:*}:flux-tree-command-$line[1]:"
        case $line[1] in
            (kustomization)
_arguments "${_arguments_options[@]}" : \
'--compact=[Show Flux'\''s own objects only]::BOOL:_default' \
'--depth=[How many levels are shown below the Kustomization]:LEVELS:_default' \
'-o+[Format of the output]:FORMAT:(yaml json)' \
'--output=[Format of the output]:FORMAT:(yaml json)' \
'--pods=[Show what workloads made, down to their Pods]::BOOL:_default' \
'--status=[Show how each object fares]::BOOL:_default' \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
'*::name -- Name of the Kustomization:_default' \
&& ret=0
;;
        esac
    ;;
esac
;;
(uninstall)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--dry-run=[Show what would be deleted, and delete nothing]::BOOL:_default' \
'--keep-namespace=[Leave the namespace]::BOOL:_default' \
'-s+[Do not ask]::BOOL:_default' \
'--silent=[Do not ask]::BOOL:_default' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(version)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'--client=[Print the client'\''s version only, without asking a cluster]::BOOL:_default' \
'-o+[Format of the output]:FORMAT:(yaml json)' \
'--output=[Format of the output]:FORMAT:(yaml json)' \
'-h[Print help]' \
'--help[Print help]' \
&& ret=0
;;
(why)
_arguments "${_arguments_options[@]}" : \
'--as=[Username to impersonate for the operation\: a user, or a service account in the form system\:serviceaccount\:NAMESPACE\:NAME]:USER:_default' \
'*--as-group=[Group to impersonate for the operation, may be given several times]:GROUP:_default' \
'--as-uid=[UID to impersonate for the operation]:UID:_default' \
'*--as-user-extra=[Extra field KEY=VALUE to impersonate for the operation, may be given several times]:KEY=VALUE:_default' \
'--cache-dir=[Directory for caches]:DIR:_files' \
'--certificate-authority=[File with the authority that signed the API server'\''s certificate]:FILE:_files' \
'--client-certificate=[File with a client certificate]:FILE:_files' \
'--client-key=[File with the key of the client certificate]:FILE:_files' \
'--cluster=[Cluster of the kubeconfig to use]:NAME:_default' \
'--context=[Context of the kubeconfig to use]:NAME:_default' \
'--disable-compression=[Ask the server not to compress its answers]::BOOL:_default' \
'--insecure-skip-tls-verify=[Do not check the API server'\''s certificate\: the connection can be read and changed by others]::BOOL:_default' \
'--kube-api-burst=[Most requests to the API server at once]:N:_default' \
'--kube-api-qps=[Most requests to the API server per second, over time]:N:_default' \
'--kubeconfig=[File with the cluster'\''s address and credentials]:FILE:_files' \
'-n+[Namespace of the objects]:NAMESPACE:_default' \
'--namespace=[Namespace of the objects]:NAMESPACE:_default' \
'--ns-follows-kube-context=[Take the namespace from the kubeconfig'\''s context]::BOOL:_default' \
'--server=[Address of the API server]:URL:_default' \
'--timeout=[How long the whole operation may take]:DURATION:_default' \
'--tls-server-name=[Name to expect in the API server'\''s certificate]:NAME:_default' \
'--token=[Bearer token for the API server]:TOKEN:_default' \
'--user=[User of the kubeconfig to use]:NAME:_default' \
'--verbose=[Print the generated objects while working]::BOOL:_default' \
'-o+[Format of the output]:FORMAT:(yaml json)' \
'--output=[Format of the output]:FORMAT:(yaml json)' \
'-h[Print help]' \
'--help[Print help]' \
'*::object -- KIND/NAME, or KIND NAME:_default' \
&& ret=0
;;
        esac
    ;;
esac
}

(( $+functions[_flux_commands] )) ||
_flux_commands() {
    local commands; commands=(
'build:Print or pack manifests instead of applying them' \
'check:Check the cluster and what is installed in it' \
'completion:Generate a completion script for a shell' \
'controller:Run one controller, or several in one process' \
'create:Flags of every \`create\` command' \
'debug:Show what a controller has seen of an object' \
'delete:Delete objects' \
'dev:Run the whole loop on this machine, without a cluster' \
'diff:Show what differs between here and there' \
'envsubst:Replace variables in what is piped in by the environment'\''s' \
'events:Show what the controllers said about objects' \
'export:Export objects as YAML' \
'get:List objects and their status' \
'install:Install the controllers, or upgrade them' \
'list:List artifacts in a container registry' \
'logs:Show the controllers'\'' logs' \
'pull:Pull artifacts from a container registry' \
'push:Push artifacts to a container registry' \
'reconcile:Reconcile an object now' \
'resume:Resume reconciliation' \
'stats:Count the objects of each kind, and what they store' \
'suspend:Suspend reconciliation' \
'tag:Tag artifacts in a container registry' \
'trace:Show what an object in the cluster comes from' \
'tree:Show what an object owns, as a tree' \
'uninstall:Remove the controllers and their definitions' \
'version:Print the client'\''s and the cluster'\''s versions' \
'why:Explain why an object is not what it should be, and what helps' \
    )
    _describe -t commands 'flux commands' commands "$@"
}
(( $+functions[_flux__subcmd__build_commands] )) ||
_flux__subcmd__build_commands() {
    local commands; commands=(
'artifact:Pack manifests as an artifact' \
'kustomization:Print what a Kustomization applies, built from local manifests' \
'overlay:Print what \`kustomize build\` prints for a folder' \
    )
    _describe -t commands 'flux build commands' commands "$@"
}
(( $+functions[_flux__subcmd__build__subcmd__artifact_commands] )) ||
_flux__subcmd__build__subcmd__artifact_commands() {
    local commands; commands=()
    _describe -t commands 'flux build artifact commands' commands "$@"
}
(( $+functions[_flux__subcmd__build__subcmd__kustomization_commands] )) ||
_flux__subcmd__build__subcmd__kustomization_commands() {
    local commands; commands=()
    _describe -t commands 'flux build kustomization commands' commands "$@"
}
(( $+functions[_flux__subcmd__build__subcmd__overlay_commands] )) ||
_flux__subcmd__build__subcmd__overlay_commands() {
    local commands; commands=()
    _describe -t commands 'flux build overlay commands' commands "$@"
}
(( $+functions[_flux__subcmd__check_commands] )) ||
_flux__subcmd__check_commands() {
    local commands; commands=()
    _describe -t commands 'flux check commands' commands "$@"
}
(( $+functions[_flux__subcmd__completion_commands] )) ||
_flux__subcmd__completion_commands() {
    local commands; commands=(
'bash:Generate the completion script for bash' \
'fish:Generate the completion script for fish' \
'powershell:Generate the completion script for PowerShell' \
'zsh:Generate the completion script for zsh' \
    )
    _describe -t commands 'flux completion commands' commands "$@"
}
(( $+functions[_flux__subcmd__completion__subcmd__bash_commands] )) ||
_flux__subcmd__completion__subcmd__bash_commands() {
    local commands; commands=()
    _describe -t commands 'flux completion bash commands' commands "$@"
}
(( $+functions[_flux__subcmd__completion__subcmd__fish_commands] )) ||
_flux__subcmd__completion__subcmd__fish_commands() {
    local commands; commands=()
    _describe -t commands 'flux completion fish commands' commands "$@"
}
(( $+functions[_flux__subcmd__completion__subcmd__powershell_commands] )) ||
_flux__subcmd__completion__subcmd__powershell_commands() {
    local commands; commands=()
    _describe -t commands 'flux completion powershell commands' commands "$@"
}
(( $+functions[_flux__subcmd__completion__subcmd__zsh_commands] )) ||
_flux__subcmd__completion__subcmd__zsh_commands() {
    local commands; commands=()
    _describe -t commands 'flux completion zsh commands' commands "$@"
}
(( $+functions[_flux__subcmd__controller_commands] )) ||
_flux__subcmd__controller_commands() {
    local commands; commands=()
    _describe -t commands 'flux controller commands' commands "$@"
}
(( $+functions[_flux__subcmd__create_commands] )) ||
_flux__subcmd__create_commands() {
    local commands; commands=(
'alert:Create or update an Alert' \
'alert-provider:Create or update a Provider' \
'helmrelease:Create or update a HelmRelease' \
'image:Create or update image automation objects' \
'kustomization:Create or update a Kustomization' \
'receiver:Create or update a Receiver' \
'secret:Create or update Secrets with credentials' \
'source:Flags of every \`create source\` command' \
'tenant:Create or update the namespaces of a tenant and its rights in them' \
    )
    _describe -t commands 'flux create commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__alert_commands] )) ||
_flux__subcmd__create__subcmd__alert_commands() {
    local commands; commands=()
    _describe -t commands 'flux create alert commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__alert-provider_commands] )) ||
_flux__subcmd__create__subcmd__alert-provider_commands() {
    local commands; commands=()
    _describe -t commands 'flux create alert-provider commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__helmrelease_commands] )) ||
_flux__subcmd__create__subcmd__helmrelease_commands() {
    local commands; commands=()
    _describe -t commands 'flux create helmrelease commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__image_commands] )) ||
_flux__subcmd__create__subcmd__image_commands() {
    local commands; commands=(
'policy:Create or update an ImagePolicy' \
'repository:Create or update an ImageRepository' \
'update:Create or update an ImageUpdateAutomation' \
    )
    _describe -t commands 'flux create image commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__image__subcmd__policy_commands] )) ||
_flux__subcmd__create__subcmd__image__subcmd__policy_commands() {
    local commands; commands=()
    _describe -t commands 'flux create image policy commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__image__subcmd__repository_commands] )) ||
_flux__subcmd__create__subcmd__image__subcmd__repository_commands() {
    local commands; commands=()
    _describe -t commands 'flux create image repository commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__image__subcmd__update_commands] )) ||
_flux__subcmd__create__subcmd__image__subcmd__update_commands() {
    local commands; commands=()
    _describe -t commands 'flux create image update commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__kustomization_commands] )) ||
_flux__subcmd__create__subcmd__kustomization_commands() {
    local commands; commands=()
    _describe -t commands 'flux create kustomization commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__receiver_commands] )) ||
_flux__subcmd__create__subcmd__receiver_commands() {
    local commands; commands=()
    _describe -t commands 'flux create receiver commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__secret_commands] )) ||
_flux__subcmd__create__subcmd__secret_commands() {
    local commands; commands=(
'git:What kind of key pair to make, and from what' \
'githubapp:Create or update a Secret for a GitHub App' \
'helm:Create or update a Secret for a repository of Helm charts' \
'notation:Create or update a Secret that Notation'\''s signatures are verified with' \
'oci:Create or update a Secret for a container registry' \
'proxy:Create or update a Secret for a proxy' \
'receiver:Create or update a Secret for the webhook of a Receiver' \
'tls:Create or update a Secret with certificates' \
    )
    _describe -t commands 'flux create secret commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__secret__subcmd__git_commands] )) ||
_flux__subcmd__create__subcmd__secret__subcmd__git_commands() {
    local commands; commands=()
    _describe -t commands 'flux create secret git commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__secret__subcmd__githubapp_commands] )) ||
_flux__subcmd__create__subcmd__secret__subcmd__githubapp_commands() {
    local commands; commands=()
    _describe -t commands 'flux create secret githubapp commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__secret__subcmd__helm_commands] )) ||
_flux__subcmd__create__subcmd__secret__subcmd__helm_commands() {
    local commands; commands=()
    _describe -t commands 'flux create secret helm commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__secret__subcmd__notation_commands] )) ||
_flux__subcmd__create__subcmd__secret__subcmd__notation_commands() {
    local commands; commands=()
    _describe -t commands 'flux create secret notation commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__secret__subcmd__oci_commands] )) ||
_flux__subcmd__create__subcmd__secret__subcmd__oci_commands() {
    local commands; commands=()
    _describe -t commands 'flux create secret oci commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__secret__subcmd__proxy_commands] )) ||
_flux__subcmd__create__subcmd__secret__subcmd__proxy_commands() {
    local commands; commands=()
    _describe -t commands 'flux create secret proxy commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__secret__subcmd__receiver_commands] )) ||
_flux__subcmd__create__subcmd__secret__subcmd__receiver_commands() {
    local commands; commands=()
    _describe -t commands 'flux create secret receiver commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__secret__subcmd__tls_commands] )) ||
_flux__subcmd__create__subcmd__secret__subcmd__tls_commands() {
    local commands; commands=()
    _describe -t commands 'flux create secret tls commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__source_commands] )) ||
_flux__subcmd__create__subcmd__source_commands() {
    local commands; commands=(
'bucket:Create or update a Bucket' \
'chart:Flags of the sources whose signatures can be verified' \
'git:What kind of key pair to make, and from what' \
'helm:Create or update a HelmRepository' \
'oci:Flags of the sources whose signatures can be verified' \
    )
    _describe -t commands 'flux create source commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__source__subcmd__bucket_commands] )) ||
_flux__subcmd__create__subcmd__source__subcmd__bucket_commands() {
    local commands; commands=()
    _describe -t commands 'flux create source bucket commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__source__subcmd__chart_commands] )) ||
_flux__subcmd__create__subcmd__source__subcmd__chart_commands() {
    local commands; commands=()
    _describe -t commands 'flux create source chart commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__source__subcmd__git_commands] )) ||
_flux__subcmd__create__subcmd__source__subcmd__git_commands() {
    local commands; commands=()
    _describe -t commands 'flux create source git commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__source__subcmd__helm_commands] )) ||
_flux__subcmd__create__subcmd__source__subcmd__helm_commands() {
    local commands; commands=()
    _describe -t commands 'flux create source helm commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__source__subcmd__oci_commands] )) ||
_flux__subcmd__create__subcmd__source__subcmd__oci_commands() {
    local commands; commands=()
    _describe -t commands 'flux create source oci commands' commands "$@"
}
(( $+functions[_flux__subcmd__create__subcmd__tenant_commands] )) ||
_flux__subcmd__create__subcmd__tenant_commands() {
    local commands; commands=()
    _describe -t commands 'flux create tenant commands' commands "$@"
}
(( $+functions[_flux__subcmd__debug_commands] )) ||
_flux__subcmd__debug_commands() {
    local commands; commands=(
'kustomization:Print the status, the variables or the history of a Kustomization' \
    )
    _describe -t commands 'flux debug commands' commands "$@"
}
(( $+functions[_flux__subcmd__debug__subcmd__kustomization_commands] )) ||
_flux__subcmd__debug__subcmd__kustomization_commands() {
    local commands; commands=()
    _describe -t commands 'flux debug kustomization commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete_commands] )) ||
_flux__subcmd__delete_commands() {
    local commands; commands=(
'helmrelease:Delete a HelmRelease object' \
'kustomization:Delete a Kustomization object' \
'receiver:Delete a Receiver object' \
'alert-provider:Delete a Provider object' \
'alert:Delete a Alert object' \
'image:Image automation objects' \
'source:Sources of desired state' \
    )
    _describe -t commands 'flux delete commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__alert_commands] )) ||
_flux__subcmd__delete__subcmd__alert_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete alert commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__alert-provider_commands] )) ||
_flux__subcmd__delete__subcmd__alert-provider_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete alert-provider commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__helmrelease_commands] )) ||
_flux__subcmd__delete__subcmd__helmrelease_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete helmrelease commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__image_commands] )) ||
_flux__subcmd__delete__subcmd__image_commands() {
    local commands; commands=(
'repository:Delete a ImageRepository object' \
'policy:Delete a ImagePolicy object' \
'update:Delete a ImageUpdateAutomation object' \
    )
    _describe -t commands 'flux delete image commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__image__subcmd__policy_commands] )) ||
_flux__subcmd__delete__subcmd__image__subcmd__policy_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete image policy commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__image__subcmd__repository_commands] )) ||
_flux__subcmd__delete__subcmd__image__subcmd__repository_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete image repository commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__image__subcmd__update_commands] )) ||
_flux__subcmd__delete__subcmd__image__subcmd__update_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete image update commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__kustomization_commands] )) ||
_flux__subcmd__delete__subcmd__kustomization_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete kustomization commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__receiver_commands] )) ||
_flux__subcmd__delete__subcmd__receiver_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete receiver commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__source_commands] )) ||
_flux__subcmd__delete__subcmd__source_commands() {
    local commands; commands=(
'oci:Delete a OCIRepository object' \
'bucket:Delete a Bucket object' \
'git:Delete a GitRepository object' \
'helm:Delete a HelmRepository object' \
'chart:Delete a HelmChart object' \
    )
    _describe -t commands 'flux delete source commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__source__subcmd__bucket_commands] )) ||
_flux__subcmd__delete__subcmd__source__subcmd__bucket_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete source bucket commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__source__subcmd__chart_commands] )) ||
_flux__subcmd__delete__subcmd__source__subcmd__chart_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete source chart commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__source__subcmd__git_commands] )) ||
_flux__subcmd__delete__subcmd__source__subcmd__git_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete source git commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__source__subcmd__helm_commands] )) ||
_flux__subcmd__delete__subcmd__source__subcmd__helm_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete source helm commands' commands "$@"
}
(( $+functions[_flux__subcmd__delete__subcmd__source__subcmd__oci_commands] )) ||
_flux__subcmd__delete__subcmd__source__subcmd__oci_commands() {
    local commands; commands=()
    _describe -t commands 'flux delete source oci commands' commands "$@"
}
(( $+functions[_flux__subcmd__dev_commands] )) ||
_flux__subcmd__dev_commands() {
    local commands; commands=()
    _describe -t commands 'flux dev commands' commands "$@"
}
(( $+functions[_flux__subcmd__diff_commands] )) ||
_flux__subcmd__diff_commands() {
    local commands; commands=(
'artifact:Compare an artifact with a directory' \
'kustomization:Show what applying local manifests would change in the cluster' \
    )
    _describe -t commands 'flux diff commands' commands "$@"
}
(( $+functions[_flux__subcmd__diff__subcmd__artifact_commands] )) ||
_flux__subcmd__diff__subcmd__artifact_commands() {
    local commands; commands=()
    _describe -t commands 'flux diff artifact commands' commands "$@"
}
(( $+functions[_flux__subcmd__diff__subcmd__kustomization_commands] )) ||
_flux__subcmd__diff__subcmd__kustomization_commands() {
    local commands; commands=()
    _describe -t commands 'flux diff kustomization commands' commands "$@"
}
(( $+functions[_flux__subcmd__envsubst_commands] )) ||
_flux__subcmd__envsubst_commands() {
    local commands; commands=()
    _describe -t commands 'flux envsubst commands' commands "$@"
}
(( $+functions[_flux__subcmd__events_commands] )) ||
_flux__subcmd__events_commands() {
    local commands; commands=()
    _describe -t commands 'flux events commands' commands "$@"
}
(( $+functions[_flux__subcmd__export_commands] )) ||
_flux__subcmd__export_commands() {
    local commands; commands=(
'helmrelease:Export HelmRelease objects as YAML' \
'kustomization:Export Kustomization objects as YAML' \
'receiver:Export Receiver objects as YAML' \
'alert-provider:Export Provider objects as YAML' \
'alert:Export Alert objects as YAML' \
'artifact:Artifact generators' \
'image:Image automation objects' \
'source:Sources of desired state' \
    )
    _describe -t commands 'flux export commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__alert_commands] )) ||
_flux__subcmd__export__subcmd__alert_commands() {
    local commands; commands=()
    _describe -t commands 'flux export alert commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__alert-provider_commands] )) ||
_flux__subcmd__export__subcmd__alert-provider_commands() {
    local commands; commands=()
    _describe -t commands 'flux export alert-provider commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__artifact_commands] )) ||
_flux__subcmd__export__subcmd__artifact_commands() {
    local commands; commands=(
'generator:Export ArtifactGenerator objects as YAML' \
    )
    _describe -t commands 'flux export artifact commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__artifact__subcmd__generator_commands] )) ||
_flux__subcmd__export__subcmd__artifact__subcmd__generator_commands() {
    local commands; commands=()
    _describe -t commands 'flux export artifact generator commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__helmrelease_commands] )) ||
_flux__subcmd__export__subcmd__helmrelease_commands() {
    local commands; commands=()
    _describe -t commands 'flux export helmrelease commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__image_commands] )) ||
_flux__subcmd__export__subcmd__image_commands() {
    local commands; commands=(
'repository:Export ImageRepository objects as YAML' \
'policy:Export ImagePolicy objects as YAML' \
'update:Export ImageUpdateAutomation objects as YAML' \
    )
    _describe -t commands 'flux export image commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__image__subcmd__policy_commands] )) ||
_flux__subcmd__export__subcmd__image__subcmd__policy_commands() {
    local commands; commands=()
    _describe -t commands 'flux export image policy commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__image__subcmd__repository_commands] )) ||
_flux__subcmd__export__subcmd__image__subcmd__repository_commands() {
    local commands; commands=()
    _describe -t commands 'flux export image repository commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__image__subcmd__update_commands] )) ||
_flux__subcmd__export__subcmd__image__subcmd__update_commands() {
    local commands; commands=()
    _describe -t commands 'flux export image update commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__kustomization_commands] )) ||
_flux__subcmd__export__subcmd__kustomization_commands() {
    local commands; commands=()
    _describe -t commands 'flux export kustomization commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__receiver_commands] )) ||
_flux__subcmd__export__subcmd__receiver_commands() {
    local commands; commands=()
    _describe -t commands 'flux export receiver commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__source_commands] )) ||
_flux__subcmd__export__subcmd__source_commands() {
    local commands; commands=(
'oci:Export OCIRepository objects as YAML' \
'bucket:Export Bucket objects as YAML' \
'git:Export GitRepository objects as YAML' \
'helm:Export HelmRepository objects as YAML' \
'chart:Export HelmChart objects as YAML' \
'external:Export ExternalArtifact objects as YAML' \
    )
    _describe -t commands 'flux export source commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__source__subcmd__bucket_commands] )) ||
_flux__subcmd__export__subcmd__source__subcmd__bucket_commands() {
    local commands; commands=()
    _describe -t commands 'flux export source bucket commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__source__subcmd__chart_commands] )) ||
_flux__subcmd__export__subcmd__source__subcmd__chart_commands() {
    local commands; commands=()
    _describe -t commands 'flux export source chart commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__source__subcmd__external_commands] )) ||
_flux__subcmd__export__subcmd__source__subcmd__external_commands() {
    local commands; commands=()
    _describe -t commands 'flux export source external commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__source__subcmd__git_commands] )) ||
_flux__subcmd__export__subcmd__source__subcmd__git_commands() {
    local commands; commands=()
    _describe -t commands 'flux export source git commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__source__subcmd__helm_commands] )) ||
_flux__subcmd__export__subcmd__source__subcmd__helm_commands() {
    local commands; commands=()
    _describe -t commands 'flux export source helm commands' commands "$@"
}
(( $+functions[_flux__subcmd__export__subcmd__source__subcmd__oci_commands] )) ||
_flux__subcmd__export__subcmd__source__subcmd__oci_commands() {
    local commands; commands=()
    _describe -t commands 'flux export source oci commands' commands "$@"
}
(( $+functions[_flux__subcmd__get_commands] )) ||
_flux__subcmd__get_commands() {
    local commands; commands=(
'helmreleases:List HelmRelease objects' \
'kustomizations:List Kustomization objects' \
'receivers:List Receiver objects' \
'alert-providers:List Provider objects' \
'alerts:List Alert objects' \
'artifacts:Artifact generators' \
'all:List the objects of every kind' \
'sources:Sources of desired state' \
'images:Image automation objects' \
    )
    _describe -t commands 'flux get commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__alert-providers_commands] )) ||
_flux__subcmd__get__subcmd__alert-providers_commands() {
    local commands; commands=()
    _describe -t commands 'flux get alert-providers commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__alerts_commands] )) ||
_flux__subcmd__get__subcmd__alerts_commands() {
    local commands; commands=()
    _describe -t commands 'flux get alerts commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__all_commands] )) ||
_flux__subcmd__get__subcmd__all_commands() {
    local commands; commands=()
    _describe -t commands 'flux get all commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__artifacts_commands] )) ||
_flux__subcmd__get__subcmd__artifacts_commands() {
    local commands; commands=(
'generators:List ArtifactGenerator objects' \
    )
    _describe -t commands 'flux get artifacts commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__artifacts__subcmd__generators_commands] )) ||
_flux__subcmd__get__subcmd__artifacts__subcmd__generators_commands() {
    local commands; commands=()
    _describe -t commands 'flux get artifacts generators commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__helmreleases_commands] )) ||
_flux__subcmd__get__subcmd__helmreleases_commands() {
    local commands; commands=()
    _describe -t commands 'flux get helmreleases commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__images_commands] )) ||
_flux__subcmd__get__subcmd__images_commands() {
    local commands; commands=(
'repository:List ImageRepository objects' \
'policy:List ImagePolicy objects' \
'update:List ImageUpdateAutomation objects' \
'all:List every image automation object' \
    )
    _describe -t commands 'flux get images commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__images__subcmd__all_commands] )) ||
_flux__subcmd__get__subcmd__images__subcmd__all_commands() {
    local commands; commands=()
    _describe -t commands 'flux get images all commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__images__subcmd__policy_commands] )) ||
_flux__subcmd__get__subcmd__images__subcmd__policy_commands() {
    local commands; commands=()
    _describe -t commands 'flux get images policy commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__images__subcmd__repository_commands] )) ||
_flux__subcmd__get__subcmd__images__subcmd__repository_commands() {
    local commands; commands=()
    _describe -t commands 'flux get images repository commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__images__subcmd__update_commands] )) ||
_flux__subcmd__get__subcmd__images__subcmd__update_commands() {
    local commands; commands=()
    _describe -t commands 'flux get images update commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__kustomizations_commands] )) ||
_flux__subcmd__get__subcmd__kustomizations_commands() {
    local commands; commands=()
    _describe -t commands 'flux get kustomizations commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__receivers_commands] )) ||
_flux__subcmd__get__subcmd__receivers_commands() {
    local commands; commands=()
    _describe -t commands 'flux get receivers commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__sources_commands] )) ||
_flux__subcmd__get__subcmd__sources_commands() {
    local commands; commands=(
'oci:List OCIRepository objects' \
'bucket:List Bucket objects' \
'git:List GitRepository objects' \
'helm:List HelmRepository objects' \
'chart:List HelmChart objects' \
'external:List ExternalArtifact objects' \
'all:List every source' \
    )
    _describe -t commands 'flux get sources commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__sources__subcmd__all_commands] )) ||
_flux__subcmd__get__subcmd__sources__subcmd__all_commands() {
    local commands; commands=()
    _describe -t commands 'flux get sources all commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__sources__subcmd__bucket_commands] )) ||
_flux__subcmd__get__subcmd__sources__subcmd__bucket_commands() {
    local commands; commands=()
    _describe -t commands 'flux get sources bucket commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__sources__subcmd__chart_commands] )) ||
_flux__subcmd__get__subcmd__sources__subcmd__chart_commands() {
    local commands; commands=()
    _describe -t commands 'flux get sources chart commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__sources__subcmd__external_commands] )) ||
_flux__subcmd__get__subcmd__sources__subcmd__external_commands() {
    local commands; commands=()
    _describe -t commands 'flux get sources external commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__sources__subcmd__git_commands] )) ||
_flux__subcmd__get__subcmd__sources__subcmd__git_commands() {
    local commands; commands=()
    _describe -t commands 'flux get sources git commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__sources__subcmd__helm_commands] )) ||
_flux__subcmd__get__subcmd__sources__subcmd__helm_commands() {
    local commands; commands=()
    _describe -t commands 'flux get sources helm commands' commands "$@"
}
(( $+functions[_flux__subcmd__get__subcmd__sources__subcmd__oci_commands] )) ||
_flux__subcmd__get__subcmd__sources__subcmd__oci_commands() {
    local commands; commands=()
    _describe -t commands 'flux get sources oci commands' commands "$@"
}
(( $+functions[_flux__subcmd__install_commands] )) ||
_flux__subcmd__install_commands() {
    local commands; commands=()
    _describe -t commands 'flux install commands' commands "$@"
}
(( $+functions[_flux__subcmd__list_commands] )) ||
_flux__subcmd__list_commands() {
    local commands; commands=(
'artifacts:List the artifacts of a repository' \
    )
    _describe -t commands 'flux list commands' commands "$@"
}
(( $+functions[_flux__subcmd__list__subcmd__artifacts_commands] )) ||
_flux__subcmd__list__subcmd__artifacts_commands() {
    local commands; commands=()
    _describe -t commands 'flux list artifacts commands' commands "$@"
}
(( $+functions[_flux__subcmd__logs_commands] )) ||
_flux__subcmd__logs_commands() {
    local commands; commands=()
    _describe -t commands 'flux logs commands' commands "$@"
}
(( $+functions[_flux__subcmd__pull_commands] )) ||
_flux__subcmd__pull_commands() {
    local commands; commands=(
'artifact:Pull an artifact and extract its content' \
    )
    _describe -t commands 'flux pull commands' commands "$@"
}
(( $+functions[_flux__subcmd__pull__subcmd__artifact_commands] )) ||
_flux__subcmd__pull__subcmd__artifact_commands() {
    local commands; commands=()
    _describe -t commands 'flux pull artifact commands' commands "$@"
}
(( $+functions[_flux__subcmd__push_commands] )) ||
_flux__subcmd__push_commands() {
    local commands; commands=(
'artifact:Push manifests as an artifact to a container registry' \
    )
    _describe -t commands 'flux push commands' commands "$@"
}
(( $+functions[_flux__subcmd__push__subcmd__artifact_commands] )) ||
_flux__subcmd__push__subcmd__artifact_commands() {
    local commands; commands=()
    _describe -t commands 'flux push artifact commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile_commands] )) ||
_flux__subcmd__reconcile_commands() {
    local commands; commands=(
'helmrelease:Reconcile a HelmRelease object' \
'kustomization:Reconcile a Kustomization object' \
'receiver:Reconcile a Receiver object' \
'image:Image automation objects' \
'source:Sources of desired state' \
    )
    _describe -t commands 'flux reconcile commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__helmrelease_commands] )) ||
_flux__subcmd__reconcile__subcmd__helmrelease_commands() {
    local commands; commands=()
    _describe -t commands 'flux reconcile helmrelease commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__image_commands] )) ||
_flux__subcmd__reconcile__subcmd__image_commands() {
    local commands; commands=(
'repository:Reconcile a ImageRepository object' \
'policy:Reconcile a ImagePolicy object' \
'update:Reconcile a ImageUpdateAutomation object' \
    )
    _describe -t commands 'flux reconcile image commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__image__subcmd__policy_commands] )) ||
_flux__subcmd__reconcile__subcmd__image__subcmd__policy_commands() {
    local commands; commands=()
    _describe -t commands 'flux reconcile image policy commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__image__subcmd__repository_commands] )) ||
_flux__subcmd__reconcile__subcmd__image__subcmd__repository_commands() {
    local commands; commands=()
    _describe -t commands 'flux reconcile image repository commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__image__subcmd__update_commands] )) ||
_flux__subcmd__reconcile__subcmd__image__subcmd__update_commands() {
    local commands; commands=()
    _describe -t commands 'flux reconcile image update commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__kustomization_commands] )) ||
_flux__subcmd__reconcile__subcmd__kustomization_commands() {
    local commands; commands=()
    _describe -t commands 'flux reconcile kustomization commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__receiver_commands] )) ||
_flux__subcmd__reconcile__subcmd__receiver_commands() {
    local commands; commands=()
    _describe -t commands 'flux reconcile receiver commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__source_commands] )) ||
_flux__subcmd__reconcile__subcmd__source_commands() {
    local commands; commands=(
'oci:Reconcile a OCIRepository object' \
'bucket:Reconcile a Bucket object' \
'git:Reconcile a GitRepository object' \
'helm:Reconcile a HelmRepository object' \
'chart:Reconcile a HelmChart object' \
    )
    _describe -t commands 'flux reconcile source commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__source__subcmd__bucket_commands] )) ||
_flux__subcmd__reconcile__subcmd__source__subcmd__bucket_commands() {
    local commands; commands=()
    _describe -t commands 'flux reconcile source bucket commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__source__subcmd__chart_commands] )) ||
_flux__subcmd__reconcile__subcmd__source__subcmd__chart_commands() {
    local commands; commands=()
    _describe -t commands 'flux reconcile source chart commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__source__subcmd__git_commands] )) ||
_flux__subcmd__reconcile__subcmd__source__subcmd__git_commands() {
    local commands; commands=()
    _describe -t commands 'flux reconcile source git commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__source__subcmd__helm_commands] )) ||
_flux__subcmd__reconcile__subcmd__source__subcmd__helm_commands() {
    local commands; commands=()
    _describe -t commands 'flux reconcile source helm commands' commands "$@"
}
(( $+functions[_flux__subcmd__reconcile__subcmd__source__subcmd__oci_commands] )) ||
_flux__subcmd__reconcile__subcmd__source__subcmd__oci_commands() {
    local commands; commands=()
    _describe -t commands 'flux reconcile source oci commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume_commands] )) ||
_flux__subcmd__resume_commands() {
    local commands; commands=(
'helmrelease:Resume reconciliation of HelmRelease objects' \
'kustomization:Resume reconciliation of Kustomization objects' \
'receiver:Resume reconciliation of Receiver objects' \
'alert-provider:Resume reconciliation of Provider objects' \
'alert:Resume reconciliation of Alert objects' \
'image:Image automation objects' \
'source:Sources of desired state' \
    )
    _describe -t commands 'flux resume commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__alert_commands] )) ||
_flux__subcmd__resume__subcmd__alert_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume alert commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__alert-provider_commands] )) ||
_flux__subcmd__resume__subcmd__alert-provider_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume alert-provider commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__helmrelease_commands] )) ||
_flux__subcmd__resume__subcmd__helmrelease_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume helmrelease commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__image_commands] )) ||
_flux__subcmd__resume__subcmd__image_commands() {
    local commands; commands=(
'repository:Resume reconciliation of ImageRepository objects' \
'policy:Resume reconciliation of ImagePolicy objects' \
'update:Resume reconciliation of ImageUpdateAutomation objects' \
    )
    _describe -t commands 'flux resume image commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__image__subcmd__policy_commands] )) ||
_flux__subcmd__resume__subcmd__image__subcmd__policy_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume image policy commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__image__subcmd__repository_commands] )) ||
_flux__subcmd__resume__subcmd__image__subcmd__repository_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume image repository commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__image__subcmd__update_commands] )) ||
_flux__subcmd__resume__subcmd__image__subcmd__update_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume image update commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__kustomization_commands] )) ||
_flux__subcmd__resume__subcmd__kustomization_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume kustomization commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__receiver_commands] )) ||
_flux__subcmd__resume__subcmd__receiver_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume receiver commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__source_commands] )) ||
_flux__subcmd__resume__subcmd__source_commands() {
    local commands; commands=(
'oci:Resume reconciliation of OCIRepository objects' \
'bucket:Resume reconciliation of Bucket objects' \
'git:Resume reconciliation of GitRepository objects' \
'helm:Resume reconciliation of HelmRepository objects' \
'chart:Resume reconciliation of HelmChart objects' \
    )
    _describe -t commands 'flux resume source commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__source__subcmd__bucket_commands] )) ||
_flux__subcmd__resume__subcmd__source__subcmd__bucket_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume source bucket commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__source__subcmd__chart_commands] )) ||
_flux__subcmd__resume__subcmd__source__subcmd__chart_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume source chart commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__source__subcmd__git_commands] )) ||
_flux__subcmd__resume__subcmd__source__subcmd__git_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume source git commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__source__subcmd__helm_commands] )) ||
_flux__subcmd__resume__subcmd__source__subcmd__helm_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume source helm commands' commands "$@"
}
(( $+functions[_flux__subcmd__resume__subcmd__source__subcmd__oci_commands] )) ||
_flux__subcmd__resume__subcmd__source__subcmd__oci_commands() {
    local commands; commands=()
    _describe -t commands 'flux resume source oci commands' commands "$@"
}
(( $+functions[_flux__subcmd__stats_commands] )) ||
_flux__subcmd__stats_commands() {
    local commands; commands=()
    _describe -t commands 'flux stats commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend_commands] )) ||
_flux__subcmd__suspend_commands() {
    local commands; commands=(
'helmrelease:Suspend reconciliation of HelmRelease objects' \
'kustomization:Suspend reconciliation of Kustomization objects' \
'receiver:Suspend reconciliation of Receiver objects' \
'alert-provider:Suspend reconciliation of Provider objects' \
'alert:Suspend reconciliation of Alert objects' \
'image:Image automation objects' \
'source:Sources of desired state' \
    )
    _describe -t commands 'flux suspend commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__alert_commands] )) ||
_flux__subcmd__suspend__subcmd__alert_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend alert commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__alert-provider_commands] )) ||
_flux__subcmd__suspend__subcmd__alert-provider_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend alert-provider commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__helmrelease_commands] )) ||
_flux__subcmd__suspend__subcmd__helmrelease_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend helmrelease commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__image_commands] )) ||
_flux__subcmd__suspend__subcmd__image_commands() {
    local commands; commands=(
'repository:Suspend reconciliation of ImageRepository objects' \
'policy:Suspend reconciliation of ImagePolicy objects' \
'update:Suspend reconciliation of ImageUpdateAutomation objects' \
    )
    _describe -t commands 'flux suspend image commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__image__subcmd__policy_commands] )) ||
_flux__subcmd__suspend__subcmd__image__subcmd__policy_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend image policy commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__image__subcmd__repository_commands] )) ||
_flux__subcmd__suspend__subcmd__image__subcmd__repository_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend image repository commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__image__subcmd__update_commands] )) ||
_flux__subcmd__suspend__subcmd__image__subcmd__update_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend image update commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__kustomization_commands] )) ||
_flux__subcmd__suspend__subcmd__kustomization_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend kustomization commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__receiver_commands] )) ||
_flux__subcmd__suspend__subcmd__receiver_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend receiver commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__source_commands] )) ||
_flux__subcmd__suspend__subcmd__source_commands() {
    local commands; commands=(
'oci:Suspend reconciliation of OCIRepository objects' \
'bucket:Suspend reconciliation of Bucket objects' \
'git:Suspend reconciliation of GitRepository objects' \
'helm:Suspend reconciliation of HelmRepository objects' \
'chart:Suspend reconciliation of HelmChart objects' \
    )
    _describe -t commands 'flux suspend source commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__source__subcmd__bucket_commands] )) ||
_flux__subcmd__suspend__subcmd__source__subcmd__bucket_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend source bucket commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__source__subcmd__chart_commands] )) ||
_flux__subcmd__suspend__subcmd__source__subcmd__chart_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend source chart commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__source__subcmd__git_commands] )) ||
_flux__subcmd__suspend__subcmd__source__subcmd__git_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend source git commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__source__subcmd__helm_commands] )) ||
_flux__subcmd__suspend__subcmd__source__subcmd__helm_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend source helm commands' commands "$@"
}
(( $+functions[_flux__subcmd__suspend__subcmd__source__subcmd__oci_commands] )) ||
_flux__subcmd__suspend__subcmd__source__subcmd__oci_commands() {
    local commands; commands=()
    _describe -t commands 'flux suspend source oci commands' commands "$@"
}
(( $+functions[_flux__subcmd__tag_commands] )) ||
_flux__subcmd__tag_commands() {
    local commands; commands=(
'artifact:Give an artifact more tags' \
    )
    _describe -t commands 'flux tag commands' commands "$@"
}
(( $+functions[_flux__subcmd__tag__subcmd__artifact_commands] )) ||
_flux__subcmd__tag__subcmd__artifact_commands() {
    local commands; commands=()
    _describe -t commands 'flux tag artifact commands' commands "$@"
}
(( $+functions[_flux__subcmd__trace_commands] )) ||
_flux__subcmd__trace_commands() {
    local commands; commands=()
    _describe -t commands 'flux trace commands' commands "$@"
}
(( $+functions[_flux__subcmd__tree_commands] )) ||
_flux__subcmd__tree_commands() {
    local commands; commands=(
'kustomization:Print the objects that a Kustomization applied' \
    )
    _describe -t commands 'flux tree commands' commands "$@"
}
(( $+functions[_flux__subcmd__tree__subcmd__kustomization_commands] )) ||
_flux__subcmd__tree__subcmd__kustomization_commands() {
    local commands; commands=()
    _describe -t commands 'flux tree kustomization commands' commands "$@"
}
(( $+functions[_flux__subcmd__uninstall_commands] )) ||
_flux__subcmd__uninstall_commands() {
    local commands; commands=()
    _describe -t commands 'flux uninstall commands' commands "$@"
}
(( $+functions[_flux__subcmd__version_commands] )) ||
_flux__subcmd__version_commands() {
    local commands; commands=()
    _describe -t commands 'flux version commands' commands "$@"
}
(( $+functions[_flux__subcmd__why_commands] )) ||
_flux__subcmd__why_commands() {
    local commands; commands=()
    _describe -t commands 'flux why commands' commands "$@"
}

if [ "$funcstack[1]" = "_flux" ]; then
    _flux "$@"
else
    compdef _flux flux
fi
